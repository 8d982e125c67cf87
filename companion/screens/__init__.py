"""The touchscreen: `view` says what is shown, as plain data and without Kivy; the rest draws it and hears the fingers."""

"""The touchscreen. `view` says what is shown, as plain data without Kivy; the rest draws it and hears the fingers."""

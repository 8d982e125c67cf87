"""The touchscreen. `view` says what is shown, as plain data without Kivy; `printing` puts that on paper and into a code
for a phone, and the rest draws it and hears the fingers."""

"""What the screens show, made from the desk's public data in the reader's language. No Kivy here, and no rule."""

"""What is shown, on paper: race sheets, the tables of tournaments and seasons, and the code that a phone reads."""

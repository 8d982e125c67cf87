"""The referee at a terminal: one question at a time, answered by number, by value or by name."""

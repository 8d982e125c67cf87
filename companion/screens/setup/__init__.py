"""The way to a race: New race with its steps, and the car builder."""

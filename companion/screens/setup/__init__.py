"""What a new race is made of, step by step: each step is a pane that shows the draft and hands back another."""

"""The developers' sheets: every component in all of its states, and every colour of both looks."""

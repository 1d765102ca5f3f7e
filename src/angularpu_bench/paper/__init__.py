"""What belongs to this one paper: its numbers, their flaws, its claims, and the sections of the report about them."""

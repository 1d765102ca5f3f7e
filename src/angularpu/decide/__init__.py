"""Where to cut without negatives, what a cut does, and whether the labels fell at random."""

"""Where to cut, without negatives."""

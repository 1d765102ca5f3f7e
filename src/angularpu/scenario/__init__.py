"""Who got a label: samples of positives and unlabelled rows, with the truth kept apart."""

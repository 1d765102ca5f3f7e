"""The parts of the report, one experiment each."""

"""The sections of the report, one for each experiment."""

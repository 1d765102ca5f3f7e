"""A model on disk: written, read, fitted into its directory, cut elsewhere, and used on files of any size."""

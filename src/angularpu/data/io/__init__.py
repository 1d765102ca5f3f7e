"""Files: which formats are read and written, and how."""

"""Where the numbers come from: arrays, tables, images, files, and their preparation."""

"""What tries to break the program: kills, failing disks, damaged and forged input, several writers, much data.

``make torture`` runs all of it and writes docs/torture.md; a share of it is part of ``make test``.
"""

PARTS = ("steps", "writers", "readers", "disk", "inputs", "load")

"""Points, directions and densities on the unit sphere."""

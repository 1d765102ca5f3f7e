"""The commands bench, data and embed; nothing is computed here."""

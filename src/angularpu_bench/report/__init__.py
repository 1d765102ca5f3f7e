"""Tables and figures made from results, without torch."""

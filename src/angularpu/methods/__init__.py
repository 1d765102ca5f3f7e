"""The methods: their table and cards, their presets, and what trains each and keeps what was learnt."""

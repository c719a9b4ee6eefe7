"""Quick games: people who look for people to play with now."""

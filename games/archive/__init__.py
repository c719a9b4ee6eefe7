"""Games that are over: their replay, and the picture of their end."""

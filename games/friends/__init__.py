"""Friends, and who shall keep away."""

"""What `make bench` measures. Each script here stands alone; with --json it prints one object."""

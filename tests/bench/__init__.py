"""What `make bench` measures: the modules ``bench_*.py``, each with a ``measure()`` of Figures."""

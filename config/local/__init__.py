"""PostgreSQL and Redis of a checkout's own, and the processes that `make run` serves with.

``python -m config.local run`` serves the site; ``python -m config.local with -- COMMAND`` runs a
command beside the servers. Both use the servers named by ``DATABASE_URL`` and ``REDIS_URL`` where
those are set. The site itself knows nothing of this package.
"""

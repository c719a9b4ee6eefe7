"""How the site is put together: settings, addresses, servers, worker."""

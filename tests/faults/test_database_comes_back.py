"""PostgreSQL goes and comes back: the pages are right again at once."""

import urllib.request
from concurrent.futures import ThreadPoolExecutor
from urllib.error import HTTPError

from django.db import connection

from tests.live import beside_the_browser


def test_lines_cut_by_the_database_cost_nobody_a_page(live_site):
    def status(_):
        try:
            with urllib.request.urlopen(f"{live_site.url}/en/lobbies/") as answer:  # noqa: S310
                return answer.status
        except HTTPError as error:
            return error.code

    with ThreadPoolExecutor(12) as many:
        list(many.map(status, range(60)))  # several lines are open now
    with (
        beside_the_browser(),
        connection.cursor() as cursor,
    ):  # what every open line meets when the server restarts
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    assert [status(None) for _ in range(12)] == [200] * 12

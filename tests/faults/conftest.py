"""The site that tests here kill; each module says by `_site` which one."""

from collections.abc import Iterator

import pytest

from tests.faults.killable import Killable, killable_site
from tests.faults.playing import connected_to


@pytest.fixture(scope="module")
def _site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Killable]:
    with killable_site(tmp_path_factory.mktemp("killed")) as site:
        yield site


@pytest.fixture
def site(_site: Killable, django_db_blocker) -> Iterator[Killable]:
    """The site, whole at the beginning of each test; Django here works on its database."""
    with django_db_blocker.unblock(), connected_to(_site.live.env["DATABASE_URL"]):
        yield _site
        for name, service in _site.live.services.items():
            if not service.is_alive():
                _site.start(name)

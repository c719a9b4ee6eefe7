"""What tests of one process share of the database."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.test import TestCase


@contextmanager
def taken_back() -> Iterator[None]:
    """Take back whatever the block does to the database, as Django does it after a test.

    Around a fixture of a module, and inside a test around what the rest of it shall not meet.
    """
    atomics = TestCase._enter_atomics()
    try:
        yield
    finally:
        TestCase._rollback_atomics(atomics)

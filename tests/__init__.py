"""The suite: mirrors the apps, and tests/browser, tests/faults and tests/bench beside them."""

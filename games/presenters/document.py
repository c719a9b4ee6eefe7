"""What presenters return: plain values and finished sentences, by key."""

from typing import Any

Document = dict[str, Any]

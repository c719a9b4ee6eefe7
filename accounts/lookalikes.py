"""Which names look alike (Unicode Technical Standard 39, section 4).

Each sign that can be taken for another is replaced by one for all of that look; two names look
alike if the same is left of both. It is never shown to anybody.
"""

from functools import cache

from confusable_homoglyphs.confusables import confusables_data


def skeleton(name: str) -> str:
    """Return what is left of a name once all that looks alike is the same: "R0sa" and "Rosa" are
    "rosa"; letters with marks stay what they are, "Jürgen" is not "Jurgen"."""
    looks = _looks()
    # The case goes last: I is like l, and i is not.
    return "".join(looks.get(sign, sign) for sign in name).casefold()


@cache
def _looks() -> dict[str, str]:
    """What stands for each single sign: the prototype of its group, "rn" for m."""
    groups: dict[str, set[str]] = {}
    for sign, others in confusables_data.items():
        alike = {sign, *(each["c"] for each in others)}
        merged = alike.union(*(groups.get(each, ()) for each in alike))
        groups.update(dict.fromkeys(merged, merged))
    return {sign: _prototype(group) for sign, group in groups.items() if len(sign) == 1}


def _prototype(group: set[str]) -> str:
    """The one that most others are said to look like; of several, the first by code point."""
    return min(group, key=lambda sign: (-len(confusables_data.get(sign, ())), sign))

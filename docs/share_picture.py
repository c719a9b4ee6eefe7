"""Draws static/share.png, the picture that stands beside a shared link.

    python docs/share_picture.py

The page's own cards and colours, flat so that the file stays small. Needs the development tools.
"""

from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
CARDS = (("7", "H"), ("K", "C"), ("A", "S"), ("JK", ""), ("J", "D"))
STYLE = """
body { width: 1200px; height: 630px; background: var(--kaolin); color: var(--soot); }
.stripe { height: 75px; background-size: 150px; }
.fan { --w: 156px; flex: 1; align-items: center; background: #20573f; padding: 20px 0 46px; }
.fan > * { margin: 0 -22px; border: 0; box-shadow: none; outline: 3px solid #173f2e; }
.fan > :nth-child(1), .fan > :nth-child(5) { translate: 0 34px; }
.fan > :nth-child(2), .fan > :nth-child(4) { translate: 0 8px; }
h1 { font-size: 84px; line-height: 1.2; font-weight: 850; text-align: center; }
p { font-size: 36px; font-weight: 650; text-align: center; padding-bottom: 26px; }
"""


def _card(rank: str, suit: str) -> str:
    shape = f'<svg class="p"><use href="#p-{suit or "JK"}"/></svg>'
    if suit:
        shape += f'<svg class="i"><use href="#p-{suit}"/></svg>'
    if rank in ("J", "Q", "K"):
        shape += f'<svg class="court"><use href="#p-{rank}"/></svg>'
    name = "Joker" if rank == "JK" else rank
    return f'<span class="card {suit or "red"} {rank}"><b>{name}</b>{shape}</span>'


def _page() -> str:
    sheet = (ROOT / "static/ikarita.css").read_text()
    stripe = (
        (ROOT / "static/imigongo.svg").read_text().strip().replace("#", "%23").replace('"', "'")
    )
    sheet = sheet.replace('url("imigongo.svg")', f'url("data:image/svg+xml,{stripe}")')
    sprite = (ROOT / "templates/_sprite.html").read_text()
    cards = "".join(_card(rank, suit) for rank, suit in CARDS)
    return (
        f"<!doctype html><style>{sheet}{STYLE}</style>{sprite}"
        f'<div class="stripe"></div><div class="fan">{cards}</div>'
        "<h1>Ikarita</h1><p>Matatu · Mau-Mau</p>"
    )


def main() -> None:
    """Draw the picture."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--headless", "--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 1200, "height": 630})
        page.set_content(_page())
        page.screenshot(path=ROOT / "static/share.png")
        browser.close()


if __name__ == "__main__":
    main()

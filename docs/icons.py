"""Draws static/icon-*.png from static/icon.svg, for the manifest and for phones.

    python docs/icons.py

A maskable icon keeps its drawing in the middle four fifths: phones cut it to a shape of their own.
Needs the development tools.
"""

from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

STATIC = Path(__file__).resolve().parents[1] / "static"
LEAF = "#20573f"


def _draw(browser: Browser, name: str, size: int, share: float, colour: str) -> None:
    page = browser.new_page(viewport={"width": size, "height": size})
    drawing = (STATIC / "icon.svg").read_text()
    page.set_content(
        f"<style>body {{ margin: 0; display: grid; place-items: center; height: 100vh;"
        f"background: {colour}; }} svg {{ width: {100 * share}vw }}</style>{drawing}"
    )
    page.screenshot(path=STATIC / name, omit_background=True)
    page.close()


def main() -> None:
    """Draw all of them."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--headless", "--no-sandbox"]
        )
        for size in (192, 512):
            _draw(browser, f"icon-{size}.png", size, 1, "transparent")
        _draw(browser, "icon-maskable-512.png", 512, 0.8, LEAF)
        browser.close()


if __name__ == "__main__":
    main()

"""Takes a picture of a page of a running dashboard: `python docs/images/shoot.py URL FILE`."""

import argparse
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "chromium"
)
PATIENCE_MS = 60_000
MOST_PIXELS = 6000


def shoot(url: str, file: Path, *, width: int, most: int, dark: bool, chromium: str) -> None:
    """Save what a browser of that width shows of a page, as a PNG as high as the page, or less."""
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if dark else "light",
            device_scale_factor=1.5,
        )
        page.set_default_timeout(PATIENCE_MS)
        page.goto(url)
        page.locator(".ea-ranking, .ea-panel").first.wait_for()
        page.locator(".stApp[data-test-script-state=notRunning]").wait_for()
        page.wait_for_function(
            "!document.querySelector('[data-testid=stSkeleton], [data-testid=stSpinner]')"
        )
        page.add_style_tag(content="[data-testid=stHeader] { display: none }")
        content = page.locator("[data-testid=stMainBlockContainer]")
        high = int(content.evaluate("element => element.scrollHeight"))
        page.set_viewport_size({"width": width, "height": min(high, most)})
        page.evaluate("document.fonts.ready")
        page.screenshot(path=file, animations="disabled")
        browser.close()


def main() -> None:
    """Read the command line and take the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("file", type=Path)
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--height", type=int, default=MOST_PIXELS, help="at most so high")
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--chromium", default=CHROMIUM)
    told = parser.parse_args()
    shoot(
        told.url,
        told.file,
        width=told.width,
        most=told.height,
        dark=told.dark,
        chromium=told.chromium,
    )


if __name__ == "__main__":
    main()

"""The served dashboard in a real browser: order, intervals, hostile text, links, clean console."""

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from dashboard.serve import served
from tests.dashboard.conftest import Filled

pytestmark = pytest.mark.browser

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "chromium"
)
PATIENCE_MS = 20_000


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def url(filled: Filled) -> Iterator[str]:
    with served(filled.uri, port=0) as dashboard:
        yield dashboard.url


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Give a page on which nothing may go wrong unseen."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(PATIENCE_MS)
    said: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            said.append(message.text)

    page.on("console", listen)
    page.on("pageerror", lambda fault: said.append(str(fault)))
    page.on("dialog", lambda dialog: said.append(f"dialog: {dialog.message}"))
    yield page
    page.close()
    assert said == []


def names(page: Page) -> list[str]:
    return [text.strip()[:12] for text in page.locator(".ea-name").all_inner_texts()]


def test_the_ranking_is_in_order_with_intervals_to_be_seen(page: Page, url: str) -> None:
    page.goto(url)
    expect(page.locator(".ea-row")).to_have_count(4)
    assert names(page) == ["maze", "shop", "quiz", "<img src=x o"]
    first = page.locator(".ea-row").first
    expect(first.locator(".ea-cell-verdict")).to_contain_text("pass")
    signal = first.locator(".ea-cell-training")
    expect(signal).to_contain_text("0.62")
    expect(signal.get_by_text("[0.48, 0.74]")).to_be_visible()
    expect(signal.get_by_text("n = 40 tasks")).to_be_visible()
    track, span = (signal.locator(part).bounding_box() for part in (".ea-strip", ".ea-span"))
    assert track is not None
    assert span is not None
    assert (span["x"] - track["x"]) / track["width"] == pytest.approx(0.48, abs=0.01)
    assert span["width"] / track["width"] == pytest.approx(0.26, abs=0.01)


def test_hostile_text_is_read_and_never_obeyed(page: Page, url: str, filled: Filled) -> None:
    for address in (url, f"{url}/?page=environment&run={filled.runs['8004']}"):
        page.goto(address)
        page.get_by_text("<script>document.title='owned'</script>").first.wait_for()
        page.get_by_text("**b** $a^b$ :red[r]").first.wait_for()
        assert "owned" not in page.title()
        assert page.locator("[data-testid=stMain] img").count() == 0
        assert page.locator("[data-testid=stMain] .katex").count() == 0


def test_a_name_leads_to_its_page_and_back(page: Page, url: str, filled: Filled) -> None:
    page.goto(url)
    page.get_by_role("link", name="quiz", exact=True).click()
    page.wait_for_url(f"**/?page=environment&run={filled.runs['8002']}")
    expect(page.get_by_role("heading", name="quiz")).to_be_visible()
    expect(page.get_by_text("not worth training on as it is")).to_be_visible()
    expect(page.locator("details[open]", has_text="semantic.floor_gap")).to_contain_text(
        "mean score 0.94 over 40 episodes of noop"
    )
    ladder = page.locator("[data-testid=stVegaLiteChart]").first
    expect(ladder).to_contain_text("noop, does nothing")
    expect(ladder).to_contain_text("0.94 [0.83, 0.98], n = 40 episodes")
    page.locator("summary", has_text="runtime.startup").click()
    expect(page.get_by_text("ready after 0.1 s")).to_be_visible()
    page.get_by_role("link", name="1 Feb 2026").click()
    expect(page.get_by_text("1 Feb 2026, 12:00 UTC (shown)")).to_be_visible()
    page.get_by_role("link", name="All environments").click()
    expect(page.locator(".ea-row")).to_have_count(4)


def test_a_filter_is_kept_in_the_address(page: Page, url: str) -> None:
    page.goto(url)
    page.get_by_placeholder("Name, address or reason").fill("127.0.0.1")
    page.get_by_placeholder("Name, address or reason").press("Enter")
    page.get_by_role("button", name="fail").click()
    expect(page.locator(".ea-row")).to_have_count(2)
    page.wait_for_url("**/?verdict=fail&text=127.0.0.1")
    page.reload()
    expect(page.locator(".ea-row")).to_have_count(2)
    expect(page.get_by_placeholder("Name, address or reason")).to_have_value("127.0.0.1")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_nothing_is_wider_than_the_window(
    browser: Browser, url: str, filled: Filled, width: int, scheme: str
) -> None:
    page = browser.new_page(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    page.set_default_timeout(PATIENCE_MS)
    for address in (url, f"{url}/?page=environment&run={filled.runs['8004']}"):
        page.goto(address)
        page.locator(".ea-small").first.wait_for()
        page.get_by_text("http://127.0.0.1:8004").first.wait_for()
        main = page.locator("[data-testid=stMain]")
        assert main.evaluate("element => element.scrollWidth <= element.clientWidth")
    ground = page.evaluate("getComputedStyle(document.querySelector('.stApp')).backgroundColor")
    red = int(ground.removeprefix("rgb(").split(",")[0])
    assert (red < 60) == (scheme == "dark")
    page.close()

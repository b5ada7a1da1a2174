"""The served dashboard in a real browser: order, intervals, hostile text, links, clean console."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from dashboard.serve import served
from reports.model import load
from reports.tracking.store import file_store
from reports.writers.html import Html
from tests.dashboard.conftest import Filled, log
from tests.reports.builders import HOSTILE, hostile, times, worth_training
from tests.reports.monsters import monstrous

pytestmark = pytest.mark.browser

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "chromium"
)
PATIENCE_MS = 60_000


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
    page.get_by_placeholder("Name, address, tag or reason").fill("127.0.0.1")
    page.get_by_placeholder("Name, address, tag or reason").press("Enter")
    page.get_by_role("button", name="fail").click()
    expect(page.locator(".ea-row")).to_have_count(2)
    page.wait_for_url("**/?verdict=fail&text=127.0.0.1")
    page.reload()
    expect(page.locator(".ea-row")).to_have_count(2)
    expect(page.get_by_placeholder("Name, address, tag or reason")).to_have_value("127.0.0.1")


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


SHOTS = Path(__file__).resolve().parents[1] / "_screenshots"
"""Written by every run of the tests, to be looked at; not kept in the repository."""

LOUD = {"critical", "serious"}


def pages_of(filled: Filled) -> dict[str, str]:
    """Return the address of each page in each state that a reader may meet, by a short name."""
    runs = filled.runs
    return {
        "ranking": "",
        "ranking-no-match": "?text=nothing+is+called+so",
        "environment-pass": f"?page=environment&run={runs['8001']}",
        "environment-fail": f"?page=environment&run={runs['8002']}",
        "environment-open": f"?page=environment&run={runs['8003']}",
        "environment-hostile": f"?page=environment&run={runs['8004']}",
        "rollouts-differ": (
            f"?page=rollouts&run={runs['8001']}&name=-/seed-0/random/0/fresh-replay-1&step=2"
        ),
        "rollouts-hostile": f"?page=rollouts&run={runs['8001']}&episode=3&step=1",
        "rollouts-missing": f"?page=rollouts&run={runs['8003']}",
        "compare": f"?page=compare&one={runs['8001']}&other={runs['8002']}",
        "compare-none": "?page=compare",
        "run": "?page=run",
        "nowhere": "?page=nowhere",
    }


def settle(page: Page) -> None:
    """Wait until the page is drawn whole."""
    page.locator("[data-testid=stHtml]").first.wait_for()
    page.locator(".stApp[data-test-script-state=notRunning]").wait_for()
    page.wait_for_function(
        "!document.querySelector('[data-testid=stSkeleton], [data-testid=stSpinner]')"
    )


@pytest.mark.parametrize(
    ("width", "scheme"),
    [(1280, "light"), pytest.param(390, "dark", marks=pytest.mark.slow)],
)
def test_every_page_is_accessible_and_fits(
    browser: Browser, url: str, filled: Filled, width: int, scheme: Literal["light", "dark"]
) -> None:
    """Look for faults with axe-core, for text beyond the window, and take a picture of each."""
    SHOTS.mkdir(exist_ok=True)
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.set_default_timeout(PATIENCE_MS)
    said: list[str] = []
    page.on("console", lambda m: said.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda fault: said.append(str(fault)))
    found = {}
    for name, query in pages_of(filled).items():
        page.goto(f"{url}/{query}")
        settle(page)
        faults = [
            f"{fault['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:200]}"
            for fault in Axe().run(page, context="[data-testid=stMain]").response["violations"]
            if fault["impact"] in LOUD
            for node in fault["nodes"]
        ]
        main = page.locator("[data-testid=stMain]")
        if not main.evaluate("element => element.scrollWidth <= element.clientWidth"):
            faults.append("wider than the window")
        if "encountered an error" in main.inner_text():
            faults.append("an error of our own")
        if faults:
            found[name] = faults
        content = page.locator("[data-testid=stMainBlockContainer]")
        high = int(content.evaluate("element => element.scrollHeight"))
        page.set_viewport_size({"width": width, "height": min(high, 6_000)})
        page.screenshot(path=SHOTS / f"{name}-{width}-{scheme}.png", animations="disabled")
        page.set_viewport_size({"width": width, "height": 900})
    page.close()
    assert found == {}
    assert said == []


def test_a_reader_without_a_mouse_gets_everywhere(page: Page, url: str, filled: Filled) -> None:
    page.goto(url)
    settle(page)
    names = []
    for _ in range(60):
        page.keyboard.press("Tab")
        names.append(page.evaluate("document.activeElement?.innerText ?? ''").strip()[:40])
        if "maze" in names[-1]:
            break
    assert any("pass" in name for name in names), "the filter can be reached"
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="maze")).to_be_visible()


def test_evidence_steps_and_the_compared_are_reached_without_a_mouse(
    page: Page, url: str, filled: Filled
) -> None:
    page.goto(f"{url}/?page=environment&run={filled.runs['8002']}")
    settle(page)
    folded = page.locator("details", has_text="runtime.startup").first
    reach(page, "runtime.startup")
    page.keyboard.press("Enter")
    expect(folded).to_have_attribute("open", "")
    reach(page, "beside each other")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/?page=compare&one={filled.runs['old']}&other={filled.runs['8002']}")
    page.goto(f"{url}/?page=rollouts&run={filled.runs['8001']}&episode=0")
    settle(page)
    reach(page, "Step on")
    page.keyboard.press("Enter")
    page.wait_for_url("**&step=1")


def reach(page: Page, name: str) -> None:
    """Press Tab until what bears a name has the focus."""
    for _ in range(120):
        page.keyboard.press("Tab")
        focus = page.locator(":is(summary, a, button):focus")
        if focus.count() and name in focus.inner_text():
            return
    raise AssertionError(f"{name} is not reached by Tab")


def test_two_are_chosen_and_compared(page: Page, url: str, filled: Filled) -> None:
    page.goto(url)
    page.get_by_role("link", name="Compare maze").click()
    expect(page.get_by_text("✓ chosen to compare")).to_be_visible()
    page.get_by_role("link", name="Compare quiz").click()
    page.wait_for_url(f"**/?page=compare&one={filled.runs['8001']}&other={filled.runs['8002']}")
    expect(page.get_by_text("0.94 [0.83, 0.98], n = 40 episodes").first).to_be_visible()


def test_steps_are_kept_in_the_address(page: Page, url: str, filled: Filled) -> None:
    page.goto(
        f"{url}/?page=rollouts&run={filled.runs['8001']}&name=-/seed-0/random/0/fresh-replay-1"
    )
    page.get_by_role("button", name="Go to the first difference").click()
    expect(page.locator(".ea-differs")).to_have_count(2)
    page.wait_for_url("**&step=2")
    page.reload()
    expect(page.locator(".ea-differs")).to_have_count(2)
    page.get_by_role("button", name="Step back").click()
    expect(page.locator(".ea-differs")).to_have_count(0)


def taken(page: Page, label: str) -> bytes:
    with page.expect_download() as waiting:
        page.get_by_role("button", name=label).click()
    return Path(waiting.value.path()).read_bytes()


def test_the_table_can_be_taken_away_more_than_once(page: Page, url: str) -> None:
    page.goto(url)
    settle(page)
    text = taken(page, "Table as CSV").decode("utf-8")
    assert text.startswith("place,run_id,name,url,verdict")
    assert len(text.splitlines()) == 5
    assert taken(page, "Table as Parquet").startswith(b"PAR1")
    assert taken(page, "Table as CSV").decode("utf-8") == text


def test_a_report_can_be_taken_away_in_each_form(page: Page, url: str, filled: Filled) -> None:
    page.goto(f"{url}/?page=environment&run={filled.runs['8001']}")
    settle(page)
    assert load(taken(page, "Report as JSON").decode("utf-8")) == worth_training()
    assert taken(page, "Report as Markdown").startswith("## ✅ PASS: maze".encode())
    assert b"<title>maze: pass</title>" in taken(page, "Report as one HTML page")
    assert b"envassay: pass" in taken(page, "Badge")


@pytest.mark.slow
def test_a_new_run_appears_by_itself(browser: Browser, copied: Filled) -> None:
    with served(copied.uri, port=0) as dashboard:
        page = browser.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.goto(dashboard.url)
        expect(page.locator(".ea-row")).to_have_count(4)
        target = worth_training().target.model_copy(update={"url": "http://127.0.0.1:9999"})
        log(worth_training().model_copy(update={"target": target}), copied.folder)
        expect(page.locator(".ea-row")).to_have_count(5)
        page.close()


@pytest.mark.slow
@pytest.mark.parametrize("word", [HOSTILE, "y" * 20_000], ids=["hostile", "long"])
def test_pages_of_strangers_words_hold_on_a_small_screen(
    browser: Browser, tmp_path: Path, word: str
) -> None:
    """Every word of the report is somebody else's, those of charts included."""
    run = log(monstrous(word).model_copy(update={"times": times()}), tmp_path)
    page = browser.new_page(viewport={"width": 390, "height": 900})
    page.set_default_timeout(PATIENCE_MS)
    said: list[str] = []
    page.on("console", lambda m: said.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda fault: said.append(str(fault)))
    page.on("dialog", lambda dialog: said.append(f"dialog: {dialog.message}"))
    with served(file_store(tmp_path), port=0) as dashboard, closing(page):
        for query in ("", f"?page=environment&run={run}", f"?page=compare&one={run}&other={run}"):
            page.goto(f"{dashboard.url}/{query}")
            settle(page)
            assert "owned" not in page.title()
            main = page.locator("[data-testid=stMain]")
            assert main.evaluate("element => element.scrollWidth <= element.clientWidth"), query
            found = Axe().run(page, context="[data-testid=stMain]").response["violations"]
            assert [fault["id"] for fault in found if fault["impact"] in LOUD] == [], query
            page.screenshot(path=SHOTS / f"strangers-{len(word)}-{len(query)}.png", full_page=True)
    assert said == []


def test_a_page_from_disk_is_whole(browser: Browser, tmp_path: Path) -> None:
    for name, report in (("pass", worth_training()), ("hostile", hostile())):
        file = tmp_path / f"{name}.html"
        file.write_text(Html().write(report), "utf-8")
        page = browser.new_page(viewport={"width": 390, "height": 900})
        asked: list[str] = []
        page.on("request", lambda request, told=asked: told.append(request.url))
        page.goto(file.as_uri())
        violations = Axe().run(page).response["violations"]
        assert [fault["id"] for fault in violations if fault["impact"] in LOUD] == []
        assert page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )
        assert asked == [file.as_uri()]
        assert len(page.pdf()) > 10_000
        page.screenshot(path=SHOTS / f"report-{name}-390.png", full_page=True)
        page.close()

"""The page in a real browser, opened from the disk."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.eval.report.conftest import SHOWN

selenium = pytest.importorskip("selenium")
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="no chromium, no chromedriver")


class Browser:
    """A page that is open: what a user does, and what is seen."""

    def __init__(self, driver: Any, page: Path) -> None:
        self.driver, self.page = driver, page

    def open(self, place: str, wait: str) -> None:
        """Open an address of the page, and wait for an element."""
        self.driver.get("about:blank")
        self.driver.get(f"{(self.page / 'index.html').as_uri()}{place}")
        self.wait(wait)

    def wait(self, selector: str) -> None:
        from selenium.webdriver.common.by import By
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(self.driver, 10).until(
            lambda driver: driver.find_elements(By.CSS_SELECTOR, selector)
        )

    def run(self, script: str, *values: Any) -> Any:
        """Run a script in the page."""
        return self.driver.execute_script(script, *values)

    def texts(self, selector: str) -> list[str]:
        """Return what the elements say."""
        script = "return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)"
        return list(self.run(script, selector))

    def keys(self, *keys: str) -> None:
        """Press keys."""
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()


@pytest.fixture(scope="module")
def browser(page: Path) -> Iterator[Browser]:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    options.binary_location = CHROMIUM or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1440,900"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield Browser(driver, page)
    driver.quit()


@pytest.fixture(scope="module")
def ids(page: Path) -> list[str]:
    text = (page / "data" / "list.js").read_text("utf-8")
    return list(json.loads(text[text.index("{") : text.rindex("}") + 1])["id"])


def test_the_first_view_shows_scores_and_a_heat_map(browser: Browser) -> None:
    browser.open("", "td.heat")
    captions = browser.texts("figcaption")
    assert captions[0] == "Scores on level1"
    assert captions[1].startswith("Verified Pass@1 by error type on level1")
    assert browser.texts("tbody tr:first-child th a")[0] == "scripted:oracle"


def test_filters_narrow_the_list_and_stand_in_the_address(browser: Browser) -> None:
    browser.open("#/instances", ".rows li")
    everything = len(browser.texts(".rows li"))
    browser.run(
        "const s = document.querySelector('select[name=type]'); s.value = 'Type_Error';"
        "s.dispatchEvent(new Event('change'))"
    )
    browser.wait("select[name=type] option[value=Type_Error][selected]")
    types = browser.texts(".rows .types")
    assert 0 < len(types) < everything
    assert all("Type_Error" in one for one in types)
    assert "type=Type_Error" in browser.driver.current_url
    browser.driver.back()
    browser.wait("select[name=type] option[value=''][selected]")
    assert len(browser.texts(".rows li")) == everything


def test_search_finds_ids_and_words_as_they_are_typed(browser: Browser, ids: list[str]) -> None:
    browser.open("#/instances", ".rows li")
    browser.keys("/", ids[3])
    browser.wait(".rows li:only-child")
    assert browser.texts(".rows .id") == [ids[3]]
    assert browser.run("return document.activeElement.name") == "q"


def test_an_outcome_is_a_filter_of_one_run(browser: Browser) -> None:
    browser.open("#/instances?run=oracle&outcome=v", ".rows li")
    assert {*browser.texts(".rows .end")} == {"verified"}
    browser.open("#/instances?run=oracle&outcome=i", "#count")
    assert browser.texts("#count")[0].startswith("0 of")


def test_a_deep_link_opens_an_instance_with_the_answer_of_a_run(
    browser: Browser, ids: list[str]
) -> None:
    browser.open(f"#/instance/{ids[2]}?run=oracle", ".graph")
    assert browser.texts("h1") == [ids[2]]
    assert browser.run("return document.querySelector('#run').value") == "oracle"
    assert browser.texts(".node.root-cause .badge")
    assert browser.texts("blockquote.thought mark")
    assert len(browser.texts(".graph")) == 2


def test_a_node_tells_its_call(browser: Browser, ids: list[str]) -> None:
    browser.open(f"#/instance/{ids[2]}?run=oracle", ".graph")
    browser.run("document.querySelector('.node').dispatchEvent(new MouseEvent('click'))")
    said = browser.texts(".drawn .card")[0]
    assert "waits for" in said
    assert "round 1: " in said
    assert "→" in said


def test_keys_go_through_list_instances_and_rounds(browser: Browser, ids: list[str]) -> None:
    browser.open("#/instances", ".rows li")
    browser.keys("j", "j")
    assert browser.run("return document.activeElement.querySelector('.id').textContent") == ids[1]
    browser.keys("\ue007")
    browser.wait(".graph")
    assert browser.texts("h1") == [ids[1]]
    before = browser.texts("#round")
    browser.keys("]")
    assert browser.texts("#round") != before
    browser.keys("j")
    browser.wait(f"a[href*='{ids[3]}']")
    assert browser.texts("h1") == [ids[2]]
    browser.keys("\ue00c")
    browser.wait(".rows li")


def test_hostile_texts_are_shown_and_do_nothing(browser: Browser, ids: list[str]) -> None:
    browser.open(f"#/instance/{ids[0]}?run=carry_on", ".graph")
    assert browser.texts(".query")[0].startswith(SHOWN)
    assert SHOWN.removesuffix("[U+2028]") in browser.texts("blockquote.thought")[0]
    assert f"0.5 {SHOWN}" in browser.texts("td.reason")
    assert "unscored" in browser.texts("td.reason")
    assert browser.run("return document.querySelectorAll('main img, main script').length") == 0
    assert browser.run("return document.title") != "owned"


def test_an_answer_without_a_plan_says_why_and_shows_its_text(
    browser: Browser, ids: list[str]
) -> None:
    browser.open(f"#/instance/{ids[-1]}?run=carry_on", "details[open] .raw")
    assert browser.texts(".warn") == ["No plan could be read: filter: the reply ended so"]
    assert len(browser.texts(".graph")) == 1


def test_a_filter_keeps_the_focus_when_the_list_is_drawn_anew(browser: Browser) -> None:
    browser.open("#/instances", ".rows li")
    browser.run(
        "const s = document.querySelector('select[name=level]'); s.focus(); s.value = '1';"
        "s.dispatchEvent(new Event('change'))"
    )
    browser.wait("select[name=level]:focus option[value='1'][selected]")


def test_who_comes_back_to_the_list_is_where_he_was(browser: Browser, ids: list[str]) -> None:
    browser.open("#/instances?level=1", ".rows li")
    browser.keys("j", "j", "j", "\ue007")
    browser.wait(".graph")
    browser.driver.back()
    browser.wait(f".row:focus[data-id='{ids[2]}']")
    browser.keys("\ue007")
    browser.wait(".graph")
    browser.keys("\ue00c")
    browser.wait(f".row:focus[data-id='{ids[2]}']")
    assert "level=1" in browser.driver.current_url


def test_what_comes_late_does_not_replace_what_was_asked_for_since(
    browser: Browser, ids: list[str]
) -> None:
    browser.open("#/instances", ".rows li")
    browser.run(
        "const load = PR.load; PR.load = (name) => name.startsWith('rows')"
        " ? new Promise((done) => { PR.release = () => done(load(name)); }) : load(name);"
        f"location.hash = '#/instance/{ids[0]}?run=oracle'"
    )
    browser.wait("nav [data-view=instances][aria-current]")
    browser.run("location.hash = '#/'")
    browser.wait("td.heat")
    browser.driver.execute_async_script(
        "const done = arguments[0]; PR.release?.(); setTimeout(done, 50)"
    )
    assert browser.texts("h1") == ["Scores"]


def test_an_id_that_is_not_there_is_said(browser: Browser) -> None:
    browser.open("#/instance/L9", "[role=alert]")
    assert browser.texts("[role=alert]") == [
        "This can't be shown: there is no instance L9 in this report"
    ]


def test_a_phone_needs_no_sideways_scroll(browser: Browser, ids: list[str]) -> None:
    phone = {"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": True}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    try:
        for place, wait in (
            ("", "td.heat"),
            ("#/instances", ".rows li"),
            (f"#/instance/{ids[0]}?run=oracle", ".graph"),
        ):
            browser.open(place, wait)
            assert browser.run("return document.documentElement.scrollWidth") <= phone["width"]
    finally:
        browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


# Last: what all the others left in the browser's logs.
def test_no_error_was_logged_and_nothing_asked_for_but_files(browser: Browser) -> None:
    assert [entry["message"] for entry in browser.driver.get_log("browser")] == []
    sent = [
        json.loads(entry["message"])["message"] for entry in browser.driver.get_log("performance")
    ]
    urls = {
        one["params"]["request"]["url"]
        for one in sent
        if one["method"] == "Network.requestWillBeSent"
    }
    assert urls
    assert {re.split(r"[:/]", url)[0] for url in urls} <= {"file", "about", "data"}

"""How soon a report opens in Chromium: the list of all instances, one instance, a search.

    python benchmarks/reporting.py RUN... [--data DATA]

Writes the report of these runs into a temporary folder, opens it from the disk in headless
Chromium (with its driver, and selenium), and prints seconds and sizes, and the seconds of an
empty page in the same browser to set them against. Least of three turns.
"""

import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from eval.report.__main__ import main as report

_TURNS = 3


def main(arguments: list[str]) -> None:
    """Write, open, print."""
    with tempfile.TemporaryDirectory() as place:
        page = Path(place) / "report"
        start = time.perf_counter()
        report([*arguments, "--out", str(page)])
        print(f"written in {time.perf_counter() - start:.1f} s, {_size(page) / 1e6:.0f} MB")
        print(f"read for the list: {_size(page / 'data', 'list.js', 'tools.js') / 1e6:.1f} MB")
        driver = _browser()
        try:
            _opened(driver, page.joinpath("index.html").as_uri())
        finally:
            driver.quit()


def _size(folder: Path, *names: str) -> int:
    files = [folder / name for name in names] or folder.rglob("*")
    return sum(file.stat().st_size for file in files if file.is_file())


def _browser() -> Any:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    options.binary_location = shutil.which("chromium") or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu"):
        options.add_argument(argument)
    return webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))


def _opened(driver: Any, address: str) -> None:
    bare = _least(lambda: _shown(driver, "data:text/html,<p class=row>", ".row"))
    listed = _least(lambda: _shown(driver, f"{address}#/instances", ".rows .row"))
    count, id = (driver.execute_script(f"return {what}") for what in (_COUNT, _LAST))
    one = _least(lambda: _shown(driver, f"{address}#/instance/{id}", ".graph"))
    found = _least(lambda: _shown(driver, f"{address}#/instances?q=album+price", ".rows"))
    print(f"an empty page: {bare:.2f} s")
    print(f"the list ({count}): {listed:.2f} s; an instance: {one:.2f} s; a search: {found:.2f} s")


_COUNT = "document.getElementById('count').textContent"
_LAST = "PR.known.get('list').id.at(-1)"


def _shown(driver: Any, address: str, selector: str) -> None:
    """Open an address from nothing and wait until an element is there."""
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait

    driver.get("about:blank")
    driver.get(address)
    WebDriverWait(driver, 60, poll_frequency=0.01).until(
        lambda found: found.find_elements(By.CSS_SELECTOR, selector)
    )


def _least(work: Callable[[], object]) -> float:
    times = []
    for _ in range(_TURNS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


if __name__ == "__main__":
    main(sys.argv[1:])

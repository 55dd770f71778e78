"""A headless Chromium, and a report for it to open."""

import base64
import html
import json
import re
import shutil
import time
import zlib

import pytest

from ...command_line import succeed

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--window-size=1280,1000",
)
PATIENCE_SECONDS = 60


DATA = re.compile(r'(?<=<script type="text/plain" id="data">)[^<]*')


def data_of(page):
    """Return the data that the script of a page, which is given as text, unpacks and draws."""
    return json.loads(zlib.decompress(base64.b64decode(DATA.search(page)[0])))


def with_data(page, data):
    """Return the text of a page with other data to draw."""
    return DATA.sub(base64.b64encode(zlib.compress(json.dumps(data).encode())).decode(), page)


def write_page(page, path):
    """Write the text of a page into a file, and return the file's path."""
    path.write_text(page, encoding="utf-8")
    return path


def warnings_of(page):
    """Return the notes that follow the answer of a page."""
    found = re.findall(r'<p class="note" role="note">(.*?)</p>', page)
    return [html.unescape(note) for note in found]


class Browser:
    """A page in Chromium, asked by JavaScript; waits are for conditions, with an end."""

    def __init__(self, driver):
        self.driver = driver

    def open(self, file, fragment=""):
        self.driver.get("about:blank")
        self.requests()
        self.driver.get(file.as_uri() + fragment)
        self.wait("document.documentElement.dataset.ready === 'yes'")

    def emulate(self, width=1280, theme="light", height=1000):
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 700}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        features = [{"name": "prefers-color-scheme", "value": theme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def js(self, expression, *arguments):
        return self.driver.execute_script(f"return ({expression})", *arguments)

    def wait(self, condition):
        end = time.monotonic() + PATIENCE_SECONDS
        while not self.js(condition):
            assert time.monotonic() < end, f"never: {condition}; console: {self.console()}"

    def look_at(self, panel):
        """Scroll to a panel, again whenever panels above it grow, until it is drawn."""
        self.wait(
            f"(panel => (panel.scrollIntoView({{behavior: 'instant'}}), panel.dataset.drawn))"
            f"(document.getElementById('{panel}'))"
        )

    def redrawn(self, panel, act):
        """Do something and wait until the panel is drawn anew."""
        before = self.js(f"Number(document.getElementById('{panel}').dataset.drawn)")
        act()
        self.wait(f"Number(document.getElementById('{panel}').dataset.drawn) > {before}")

    def choose(self, select, value):
        script = """((list, value) => {
            list.value = value;
            list.dispatchEvent(new Event('change', {bubbles: true}));
        })(document.querySelector(arguments[0]), arguments[1])"""
        self.driver.execute_script(f"return {script}", select, str(value))

    def click(self, selector):
        self.js("document.querySelector(arguments[0]).click()", selector)

    def console(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """Addresses that were asked for since the last call."""
        messages = [json.loads(m["message"])["message"] for m in self.driver.get_log("performance")]
        return [
            message["params"]["request"]["url"]
            for message in messages
            if message["method"] == "Network.requestWillBeSent"
        ]


@pytest.fixture(scope="session")
def chromium():
    """One browser for all tests."""
    program, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if program is None or chromedriver is None:
        pytest.skip("no browser can be had here: chromium and chromedriver are not installed")
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    options.binary_location = program
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(chromedriver))
    driver.set_page_load_timeout(PATIENCE_SECONDS)
    driver.set_script_timeout(PATIENCE_SECONDS)
    yield Browser(driver)
    driver.quit()


@pytest.fixture
def browser(chromium):
    """The browser as wide as a screen; what a test opens ends without a complaint of the console.

    What asks for it is slow; the one page of the default tier asks for ``chromium``.
    """
    chromium.emulate()
    yield chromium
    assert [line for line in chromium.console() if "favicon" not in line] == []


@pytest.fixture(scope="session")
def report_file(tmp_path_factory, log_folder):
    """A report on two algorithms, functions 1-3, 2-D and 5-D."""
    file = tmp_path_factory.mktemp("report") / "report.html"
    succeed("report", log_folder, "-o", file)
    return file


@pytest.fixture
def opened(browser, report_file):
    """The browser with this report."""
    browser.open(report_file)
    return browser

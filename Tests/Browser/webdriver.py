"""A browser without a window, driven by chromedriver over plain HTTP (https://www.w3.org/TR/webdriver2/)."""

import base64
import json
import os
import re
import subprocess
import time
import unittest
import urllib.error
import urllib.request

# The key under which WebDriver's answers name an element.
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"

# Keys that have no character, as WebDriver names them.
ESCAPE = "\ue00c"
TAB = "\ue004"
ENTER = "\ue007"
CONTROL = "\ue009"
LEFT, UP, RIGHT, DOWN = "\ue012", "\ue013", "\ue014", "\ue015"

# The ratio of the colors of all visible texts to those behind them, as WCAG 2 defines it: [ratio, text].
CONTRASTS = """
const channels = (color) => color.match(/[\\d.]+/g).map(Number);
const luminance = (color) => {
  const [r, g, b] = channels(color).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const background = (element) => {
  for (let one = element; one; one = one.parentElement) {
    const color = getComputedStyle(one).backgroundColor;
    if (!(channels(color)[3] === 0)) return color;
  }
  return 'rgb(255, 255, 255)';
};
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const found = [];
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  const text = walker.currentNode.data.trim();
  if (text === '' || !element.checkVisibility() || element.closest('script, style, noscript')) continue;
  const one = luminance(getComputedStyle(element).color);
  const other = luminance(background(element));
  found.push([(Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05), text]);
}
return found;
"""


class Browser:
    """A session with one page."""

    def __init__(self):
        # 0 lets chromedriver choose a free port, which it prints.
        self._driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self._address = None
        for line in self._driver.stdout:
            match = re.search(r"started successfully on port (\d+)", line)
            if match:
                self._address = f"http://127.0.0.1:{match[1]}"
                break
        if self._address is None:
            raise RuntimeError("chromedriver didn't start")
        # No proxy for this machine itself.
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        arguments = ["--headless=new", "--hide-scrollbars", "--disable-gpu", "--disable-dev-shm-usage"]
        if os.getuid() == 0:
            # Chromium's sandbox refuses to run for root.
            arguments.append("--no-sandbox")
        options = {"args": arguments}
        capabilities = {
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }
        answer = self._request("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self._session = f"/session/{answer['sessionId']}"

    def close(self):
        """Ends the browser and its driver."""
        try:
            self._request("DELETE", self._session)
        finally:
            self._driver.terminate()
            self._driver.wait()
            self._driver.stdout.close()

    def _request(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self._address + path, data, {"Content-Type": "application/json"}, method=method
        )
        try:
            with self._opener.open(request, timeout=60) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def _command(self, method, path, body=None):
        return self._request(method, self._session + path, body)

    def open(self, address):
        """Opens a page, and waits for it to load."""
        self._command("POST", "/url", {"url": address})

    def new_tab(self):
        """Opens a tab, and returns its handle."""
        return self._command("POST", "/window/new", {"type": "tab"})["handle"]

    def use_tab(self, handle):
        """Brings a tab to the front."""
        self._command("POST", "/window", {"handle": handle})
        self.developer_command("Page.bringToFront")

    def close_tabs_but_first(self):
        """Closes all tabs but the first, and brings that to the front."""
        first, *others = self._command("GET", "/window/handles")
        for handle in others:
            self._command("POST", "/window", {"handle": handle})
            self._command("DELETE", "/window")
        self.use_tab(first)

    def run(self, script, *arguments):
        """Runs the body of a JavaScript function, and gives its result."""
        return self._command("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def check_accessibility(self, checker):
        """Runs axe-core, whose code is given, and returns what it finds: [rule, description, elements]."""
        self.run(checker)
        script = """
            const done = arguments[0];
            axe.run().then((result) => done(result.violations.map(({ id, help, nodes }) => [id, help, nodes.map((one) => one.html)])));
        """
        return self._command("POST", "/execute/async", {"script": script, "args": []})

    def press(self, *keys, control=False):
        """Types keys, wherever the focus is, while Ctrl is held down or not."""
        actions = [
            {"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")
        ]
        if control:
            actions = [{"type": "keyDown", "value": CONTROL}, *actions, {"type": "keyUp", "value": CONTROL}]
        source = {"type": "key", "id": "keyboard", "actions": actions}
        self._command("POST", "/actions", {"actions": [source]})

    def click(self, selector, text=None):
        """Clicks the first element that a CSS selector finds and whose text begins with a text."""
        script = """
            const element = [...document.querySelectorAll(arguments[0])]
              .find((one) => arguments[1] === null || one.textContent.startsWith(arguments[1]));
            window.isClicked = false;
            element?.addEventListener('click', () => { window.isClicked = true; }, { capture: true, once: true });
            return element;
        """
        for _ in range(100):
            element = self.run(script, selector, text)
            if element is None:
                raise AssertionError(f"there is no {selector} {text or ''}")
            try:
                self._command("POST", f"/element/{element[ELEMENT]}/click", {})
            except RuntimeError as error:
                # The page has replaced it meanwhile.
                if "stale element" not in str(error):
                    raise
                continue
            # False if the page has moved it meanwhile, and another place was clicked.
            if self.run("return window.isClicked") is not False:
                return
        raise AssertionError(f"{selector} {text or ''} can't be clicked")

    def developer_command(self, name, **parameters):
        """Calls a command of the DevTools protocol."""
        return self._command("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def resize(self, width, height):
        """Sets the size of the view, in CSS pixels."""
        self.developer_command(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=False,
        )

    def use_colors(self, scheme):
        """Prefers "light" or "dark"."""
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.developer_command("Emulation.setEmulatedMedia", features=[feature], media="")

    def use_print_styles(self):
        """Shows the page as on paper, until colors are chosen."""
        self.developer_command("Emulation.setEmulatedMedia", media="print")

    def log(self, kind):
        """The entries of a log ("browser" or "performance") since the last call."""
        return self._command("POST", "/se/log", {"type": kind})

    def screenshot(self, path):
        """Writes what is in view to a PNG file."""
        with open(path, "wb") as file:
            file.write(base64.b64decode(self._command("GET", "/screenshot")))


class BrowserTest(unittest.TestCase):
    """Tests that share a browser."""

    # The time in seconds within which a page does what is waited for.
    patience = 60

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def wait_for_value(self, expected, value):
        """Waits until a function gives a value."""
        end = time.monotonic() + self.patience
        while value() != expected and time.monotonic() < end:
            time.sleep(0.02)
        self.assertEqual(value(), expected)

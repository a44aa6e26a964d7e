"""Uses the page of an app in a real browser, as a person would who knows no Lua.

    page_test.py PROGRAM [SCREENSHOTS]

PROGRAM is primerepl; the app is Examples/lending. With SCREENSHOTS, pictures are written to that folder.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from webdriver import CONTRASTS, ENTER, ESCAPE, Browser, BrowserTest

PROGRAM = ""
SCREENSHOTS = None
APP = os.path.join(os.path.dirname(__file__), "..", "..", "Examples", "lending", "lending.lua")


class Server:
    """A page of the app, with a session in a file of its own."""

    def __init__(self, folder, *options, port="0"):
        self.state = os.path.join(folder, "state.sqlite")
        self.options = ["serve", "--app", APP, "--bare", "--state", self.state, "--port", port, *options]
        self.start()

    def start(self):
        self.process = subprocess.Popen([PROGRAM, *self.options], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().split()[0]

    def run(self, *words):
        """Does something in the session by another process."""
        subprocess.run(
            [PROGRAM, "--app", APP, "--bare", "--state", self.state, "run", *words], check=True, stdout=subprocess.DEVNULL
        )

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait()
        self.process.stdout.close()


class PageTest(BrowserTest):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.server = Server(self.folder.name)
        self.browser.resize(1200, 1000)
        self.browser.use_colors("light")
        self.browser.log("browser")
        self.expected_messages = []
        self.browser.open(self.server.address)
        self.wait_until("document.querySelectorAll('section.list').length > 0")

    def tearDown(self):
        messages = [entry["message"] for entry in self.browser.log("browser")]
        unexpected = [one for one in messages if not any(part in one for part in self.expected_messages)]
        self.browser.open("about:blank")
        self.server.stop()
        self.folder.cleanup()
        self.assertEqual(unexpected, [])

    # Waiting and looking

    def wait_until(self, condition, seconds=60):
        """Waits until an expression of JavaScript is true."""
        end = time.monotonic() + seconds
        while not self.browser.run(f"return Boolean({condition})"):
            if time.monotonic() > end:
                self.fail(f"{condition}: {self.browser.run('return document.body.innerText')}")
            time.sleep(0.02)

    def wait_for_text(self, text):
        self.wait_until(f"document.body.innerText.includes({text!r})")

    def rows(self, name):
        """The texts of the cells of a list's rows."""
        return self.browser.run(
            """
            const list = [...document.querySelectorAll('section.list')]
              .find((one) => one.querySelector('h3').textContent === arguments[0]);
            return [...list.querySelectorAll('tbody tr:not(.space)')].map((row) => [...row.children].map((cell) => cell.innerText));
            """,
            name,
        )

    def wait_for_rows(self, name, expected):
        end = time.monotonic() + 60
        while self.rows(name) != expected and time.monotonic() < end:
            time.sleep(0.02)
        self.assertEqual(self.rows(name), expected)

    def fill(self, function, **values):
        """Opens the form of a function, types values, and sends it."""
        self.browser.run(
            "const one = [...document.querySelectorAll('details')].find((one) => one.querySelector('summary').firstChild.data === arguments[0]);"
            "one.open = true; one.scrollIntoView({ block: 'center' });",
            function,
        )
        for name, value in values.items():
            self.wait_until(
                "[...document.querySelectorAll('details[open] label')]"
                f".some((one) => one.innerText.startsWith({name!r}) && one.querySelector('input, select'))"
            )
            self.browser.run(
                """
                const form = [...document.querySelectorAll('details[open]')]
                  .find((one) => one.querySelector('summary').firstChild.data === arguments[0]);
                const label = [...form.querySelectorAll('label')].find((one) => one.innerText.startsWith(arguments[1]));
                const input = label.querySelector('input, select');
                input.focus();
                if (arguments[2] !== null) { input.value = arguments[2]; }
                """,
                function, name, value,
            )
        self.browser.press(ENTER)

    # A day's work

    def test_a_day_at_the_library(self):
        self.fill("add", name="drill", price="120")
        self.wait_for_rows("tools", [["1", "drill", "120.00", ""]])
        self.fill("add", name="ladder", price="80.5")
        self.wait_for_rows("tools", [["1", "drill", "120.00", ""], ["2", "ladder", "80.50", ""]])
        self.fill("lend", name="drill", member="Ann", day="2026-11-02")
        self.wait_for_rows("loans", [["1", "drill", "drill", "Ann", "2026-11-02", "2026-11-16", ""]])
        # Refused by the app, in its words.
        self.expected_messages.append("422")
        self.fill("lend", name="drill", member="Bob", day="2026-11-03")
        self.wait_for_text("Ann has the drill until 2026-11-16.")
        self.fill("take_back", name="drill", day="2026-11-10")
        self.wait_for_rows("loans", [["1", "drill", "drill", "Ann", "2026-11-02", "2026-11-16", "2026-11-10"]])
        # Groups are tables.
        self.wait_until("[...document.querySelectorAll('dd table')].some((one) => one.innerText.includes('Ann'))")

    def test_undo_and_redo_say_what_they_do(self):
        self.fill("add", name="drill", price="120")
        self.wait_until("document.getElementById('undo').textContent === 'Undo lending.add(\"drill\", 120)'")
        self.browser.click("#undo")
        self.wait_for_rows("tools", [])
        self.wait_until("document.getElementById('redo').textContent === 'Redo lending.add(\"drill\", 120)'")
        self.browser.run("document.activeElement.blur()")
        self.browser.press("y")
        self.wait_for_rows("tools", [["1", "drill", "120.00", ""]])

    def test_edit_in_place(self):
        self.server.run("add", "drill", "120")
        self.wait_for_rows("tools", [["1", "drill", "120.00", ""]])
        self.browser.run("document.querySelector('td.editable').focus()")
        self.browser.press(ENTER)
        self.wait_until("document.querySelector('td.editable input')")
        self.browser.press(*"in its box", ENTER)
        self.wait_for_rows("tools", [["1", "drill", "120.00", "in its box"]])
        self.browser.run("document.querySelector('td.editable').focus()")
        self.browser.press(ENTER)
        self.wait_until("document.querySelector('td.editable input')")
        self.browser.press(*"x", ESCAPE)
        self.wait_for_rows("tools", [["1", "drill", "120.00", "in its box"]])

    def test_a_wrong_value_is_said_beside_its_field(self):
        self.expected_messages.append("422")
        self.browser.run(
            "const one = document.querySelector('input[aria-label=days]'); one.value = '200'; one.dispatchEvent(new Event('change'))"
        )
        self.wait_for_text("lending.days: expected an integer from 1 to 90, found 200")
        self.assertEqual(
            self.browser.run("return document.querySelector('input[aria-label=days]').getAttribute('aria-invalid')"), "true"
        )

    def test_the_history_of_a_record(self):
        self.server.run("add", "drill", "1")
        self.server.run("add", "ladder", "2")
        self.server.run("lend", "drill", "Ann", "2026-11-02")
        self.wait_until("document.querySelectorAll('#actions li').length === 3")
        self.browser.click("td button", "2")
        self.wait_until("document.querySelectorAll('#actions li').length === 1")
        self.wait_for_text("Only lending.tools 2")
        self.browser.click("#all-records")
        self.wait_until("document.querySelectorAll('#actions li').length === 3")

    def test_the_past_is_shown_and_gone_to(self):
        for name in ["drill", "ladder", "saw"]:
            self.server.run("add", name, "1")
        self.wait_until("document.getElementById('moment').max === '3'")
        self.browser.run(
            "const one = document.getElementById('moment'); one.value = '1'; one.dispatchEvent(new Event('input'))"
        )
        self.wait_for_rows("tools", [["1", "drill", "1.00", ""]])
        self.wait_for_text("The past: after action 1 of 3")
        self.assertFalse(self.browser.run("return Boolean(document.querySelector('section.calls, td.editable'))"))
        self.browser.press(ESCAPE)
        self.wait_until("document.querySelectorAll('section.calls').length === 1")
        self.assertEqual(len(self.rows("tools")), 3)
        self.browser.run(
            "const one = document.getElementById('moment'); one.value = '2'; one.dispatchEvent(new Event('input'))"
        )
        self.wait_until("!document.getElementById('go-here').hidden")
        self.browser.click("#go-here")
        self.wait_until("!document.body.classList.contains('past')")
        self.wait_for_rows("tools", [["1", "drill", "1.00", ""], ["2", "ladder", "1.00", ""]])

    # Others

    def test_others_work_shows_at_once(self):
        other = Browser()
        try:
            other.open(self.server.address)
            self.server.run("add", "drill", "120")
            self.wait_for_rows("tools", [["1", "drill", "120.00", ""]])
            self.fill("lend", name="drill", member="Ann", day="2026-11-02")
            end = time.monotonic() + 60
            while "Ann" not in other.run("return document.body.innerText") and time.monotonic() < end:
                time.sleep(0.02)
            self.assertIn("2026-11-16", other.run("return document.body.innerText"))
        finally:
            other.close()

    def test_a_lost_connection_is_said_and_made_again(self):
        self.expected_messages += ["ERR_", "403", "Failed to load"]
        token = os.path.join(self.folder.name, "token")
        with open(token, "w") as file:
            file.write("0123456789abcdef\n")
        self.server.stop()
        port = self.server.address.split(":")[2].split("/")[0]
        self.server = Server(self.folder.name, "--token-file", token, port=port)
        self.browser.open(self.server.address)
        self.wait_until("document.querySelectorAll('section.list').length > 0")
        self.server.stop()
        self.wait_for_text("The connection to the app is lost.")
        self.server.start()
        self.server.run("add", "drill", "120")
        self.wait_for_rows("tools", [["1", "drill", "120.00", ""]])
        self.wait_until("document.getElementById('status').textContent === ''")

    def test_a_read_only_page_shows_and_changes_nothing(self):
        self.server.run("add", "drill", "120")
        self.server.stop()
        self.server = Server(self.folder.name, "--read-only")
        self.browser.open(self.server.address)
        self.wait_until("document.querySelectorAll('section.list').length > 0")
        self.wait_for_rows("tools", [["1", "drill", "120.00", ""]])
        self.assertFalse(
            self.browser.run("return Boolean(document.querySelector('section.calls, td.editable, dd input, #console:not([hidden])'))")
        )
        self.wait_until("document.getElementById('undo').disabled")

    # Lists, the console and injections

    def test_long_lists_are_shown_by_windows_sorted_and_filtered(self):
        path = os.path.join(self.folder.name, "tools.csv")
        with open(path, "w") as file:
            file.write("name,price\n" + "".join(f"tool {n:04},{n % 7}\n" for n in range(1000)))
        self.server.run("load", path)
        self.wait_for_text("1,000")
        self.assertLess(self.browser.run("return document.querySelectorAll('tbody tr').length"), 300)
        self.browser.run("document.querySelector('.rows').scrollTop = 500 * 34")
        self.wait_for_text("tool 0500")
        self.browser.run("document.querySelector('section.list input[type=search]').value = 'tool 09'")
        self.browser.run("document.querySelector('section.list input[type=search]').dispatchEvent(new Event('input'))")
        self.wait_for_text("100 of 1,000")
        self.browser.click("section.list th button", "price")
        self.wait_until("document.querySelector('section.list th[aria-sort=ascending]')")
        self.wait_until("document.querySelector('section.list tbody tr:not(.space)').innerText.includes('0.00')")

    def test_the_console_runs_lua(self):
        self.browser.press(":", *"lending.add('saw', 3)", ENTER)
        self.wait_for_rows("tools", [["1", "saw", "3.00", ""]])
        self.wait_until("document.getElementById('log').innerText.includes('price = 3.00')")
        self.expected_messages.append("422")
        self.browser.press(*"error('no')", ENTER)
        self.wait_until("document.querySelector('#log .bad')")

    def test_texts_of_the_app_are_only_text(self):
        text = "<img src=x onerror=document.title='evil'><script>document.title='evil'</script>"
        self.server.run("add", text, "1")
        self.wait_for_rows("tools", [["1", text, "1.00", ""]])
        self.assertEqual(self.browser.run("return document.title"), "lending")
        self.assertEqual(self.browser.run("return document.querySelectorAll('img, body script').length"), 0)

    # Reading

    def test_contrast_and_labels(self):
        self.server.run("add", "drill", "120")
        self.wait_for_rows("tools", [["1", "drill", "120.00", ""]])
        for scheme in ["light", "dark"]:
            self.browser.use_colors(scheme)
            for ratio, text in self.browser.run(CONTRASTS):
                self.assertGreaterEqual(ratio, 4.5, f"{scheme}: {text}")
        unlabelled = self.browser.run(
            """
            return [...document.querySelectorAll('input, select, button, textarea')].filter((one) =>
              !(one.labels?.length || one.getAttribute('aria-label') || one.textContent.trim())).map((one) => one.outerHTML);
            """
        )
        self.assertEqual(unlabelled, [])

    def test_narrow_and_wide_screens_have_no_sideways_scrolling(self):
        self.server.run("add", "drill", "120")
        for width in [360, 800, 2560]:
            self.browser.resize(width, 900)
            self.assertEqual(
                self.browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth"), 0, width
            )

    def test_keys_are_listed(self):
        self.browser.press("?")
        self.wait_until("document.getElementById('keys').open")

    def test_pictures(self):
        if SCREENSHOTS is None:
            self.skipTest("asked for by naming a folder")
        os.makedirs(SCREENSHOTS, exist_ok=True)
        self.server.run("add", "drill", "120")
        self.server.run("add", "ladder", "80.50")
        self.server.run("lend", "drill", "Ann", "2026-11-02")
        self.wait_for_text("lending.lend(")
        self.browser.resize(1200, 860)
        for scheme in ["light", "dark"]:
            self.browser.use_colors(scheme)
            self.browser.screenshot(f"{SCREENSHOTS}/page-{scheme}.png")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    PROGRAM = os.path.realpath(sys.argv[1])
    SCREENSHOTS = sys.argv[2] if len(sys.argv) > 2 else None
    unittest.main(argv=sys.argv[:1])

"""The page of an app in a real browser, and a server of it for each test."""

import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from webdriver import BrowserTest

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Examples")

# The program, by the command line.
PROGRAM = os.path.realpath(sys.argv[1]) if len(sys.argv) > 1 else ""


def main(documentation, parameters=1):
    """Runs the tests of the file that calls it: all, or those that are named after its own parameters."""
    if len(sys.argv) <= parameters:
        sys.exit(documentation)
    unittest.main(argv=[sys.argv[0], *sys.argv[parameters + 1:]])


class Server:
    """A page of an app among the examples, with a session: in a file of its own, or at an address."""

    def __init__(self, app, state, *options, port="0"):
        self.app = app if os.path.isabs(app) else os.path.join(EXAMPLES, app, f"{app}.lua")
        self.state = state
        self.options = ["serve", "--app", self.app, "--bare", "--state", state, "--port", port, *options]
        self.start()

    def start(self):
        self.process = subprocess.Popen([PROGRAM, *self.options], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().split()[0]

    def command(self, *words):
        """The words of another process that does something in the session."""
        return [PROGRAM, "--app", self.app, "--bare", "--state", self.state, *words]

    def run(self, *words):
        """Does something in the session by another process."""
        subprocess.run(self.command("run", *words), check=True, stdout=subprocess.DEVNULL)

    def run_code(self, code):
        """Runs Lua in the session by another process."""
        subprocess.run(self.command("-e", code), check=True, stdout=subprocess.DEVNULL)

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait()
        self.process.stdout.close()


class PageTest(BrowserTest):
    """Tests of a page, which is open when each begins."""

    app = "lending"

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.server = self.serve()
        self.browser.resize(1200, 1000)
        self.browser.use_colors("light")
        self.browser.log("browser")
        self.expected_messages = []
        self.open()

    def path(self, name):
        """The path of a file in the test's folder."""
        return os.path.join(self.folder.name, name)

    def serve(self, *options, **parameters):
        """A server of the test's session."""
        return Server(self.app, self.path("state.sqlite"), *options, **parameters)

    def serve_again(self, *options, **parameters):
        """Ends the server, and opens the page of another one."""
        # The page that is open may ask meanwhile.
        self.browser.open("about:blank")
        self.server.stop()
        self.server = self.serve(*options, **parameters)
        self.open()

    def open(self, part=""):
        """Opens the page, or a part of it by its address."""
        self.browser.open(self.server.address)
        self.wait_until("document.querySelectorAll('section.list').length > 0")
        if part:
            self.browser.run("location.hash = arguments[0]", part)

    def tearDown(self):
        messages = [entry["message"] for entry in self.browser.log("browser")]
        unexpected = [one for one in messages if not any(part in one for part in self.expected_messages)]
        self.browser.open("about:blank")
        self.server.stop()
        self.folder.cleanup()
        self.assertEqual(unexpected, [])

    # Waiting and looking

    def wait_until(self, condition):
        """Waits until an expression of JavaScript is true."""
        end = time.monotonic() + self.patience
        while not self.browser.run(f"return Boolean({condition})"):
            if time.monotonic() > end:
                self.fail(f"{condition}: {self.browser.run('return document.body.innerText')[:1000]}")
            time.sleep(0.02)

    def wait_for(self, condition):
        """Waits until a function gives something true."""
        end = time.monotonic() + self.patience
        while not condition():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)

    def texts(self, selector):
        """The texts of the elements that a CSS selector finds."""
        return self.browser.run("return [...document.querySelectorAll(arguments[0])].map((one) => one.innerText)", selector)

    def wait_for_text(self, text):
        self.wait_until(f"document.body.innerText.includes({text!r})")

    def rows(self, name):
        """The texts of the cells of a list's rows."""
        return self.browser.run(
            """
            const list = [...document.querySelectorAll('section.list')]
              .find((one) => one.querySelector('h3').textContent === arguments[0]);
            return [...list.querySelectorAll('tbody tr:not(.space)')].map((row) => [...row.querySelectorAll('td[data-column]')].map((cell) => cell.innerText));
            """,
            name,
        )

    def wait_for_rows(self, name, expected):
        self.wait_for_value(expected, lambda: self.rows(name))

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
                input.value = arguments[2];
                """,
                function, name, value,
            )
        self.browser.run("document.activeElement.form.requestSubmit()")

    def hold_answers(self, question):
        """Holds the answers to a question until they are released."""
        self.browser.run("""
            const [path, original] = [`/api/${arguments[0]}`, window.fetch];
            window.held = [];
            window.fetch = async (address, options) => {
              const answer = await original(address, options);
              if (address === path) await new Promise((release) => window.held.push(release));
              return answer;
            };""", question)

    def release_answer(self):
        self.wait_until("window.held.length === 1")
        self.browser.run("window.held.shift()()")

    def move_slider(self, number):
        self.browser.run(
            "const one = document.getElementById('moment'); one.value = arguments[0]; one.dispatchEvent(new Event('input'))",
            str(number),
        )

"""Uses one session by several pages, a prompt, scripts and servers at once, also a large one.

    sessions_test.py PROGRAM
"""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile

from page import PageTest, Server, main
from webdriver import ENTER, Browser


class SessionTests(PageTest):
    app = "household"

    def rows_in(self, browser):
        return browser.run(
            "return [...document.querySelectorAll('tbody tr[data-id]')].map((row) => row.querySelector('[data-column=name]').innerText)"
        )

    def test_two_browsers_a_prompt_and_a_script_share_a_session(self):
        other = Browser()
        prompt = subprocess.Popen(
            self.server.command("-i", "-e", ""), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        try:
            other.open(self.server.address)
            self.fill("add", name="milk")
            self.server.run("add", "bread")
            prompt.stdin.write("shopping.add('soap')\n")
            prompt.stdin.flush()
            for browser in [self.browser, other]:
                self.wait_for(lambda: sorted(self.rows_in(browser)) == ["bread", "milk", "soap"])
            other.press(":", *"shopping.items:get(1).amount = '2 l'", ENTER)
            self.wait_for_text("2 l")
            prompt.stdin.write("print(shopping.items:get(1).amount)\n")
            prompt.stdin.close()
            self.assertIn("2 l", prompt.stdout.read())
        finally:
            other.close()
            prompt.wait()
            prompt.stdout.close()

    def test_each_browser_undoes_its_own(self):
        other = Browser()
        try:
            other.open(self.server.address)
            self.fill("add", name="milk")
            self.wait_for(lambda: self.rows_in(other) == ["milk"])
            other.press(":", *"shopping.add('bread')", ENTER)
            for browser in [self.browser, other]:
                self.wait_for(lambda: self.rows_in(browser) == ["milk", "bread"])
            self.wait_until("document.getElementById('undo').textContent === 'Undo shopping.add(\"milk\", \"grocer\")'")
            self.browser.click("#undo")
            self.wait_for(lambda: self.rows_in(other) == ["bread"])
            other.click("#undo")
            self.wait_for(lambda: self.rows_in(self.browser) == [])
        finally:
            other.close()

    def test_many_tabs_of_a_browser(self):
        tabs = [self.browser.new_tab() for _ in range(8)]
        for tab in tabs:
            self.browser.use_tab(tab)
            self.open()
        self.server.run("add", "milk")
        self.wait_for(lambda: self.rows_in(self.browser) == ["milk"])
        self.browser.use_tab(tabs[0])
        self.wait_for(lambda: self.rows_in(self.browser) == ["milk"])
        self.browser.close_tabs_but_first()

    def test_undo_takes_back_ones_own(self):
        self.fill("add", name="milk")
        self.wait_until("document.querySelectorAll('tbody tr[data-id]').length === 1")
        self.server.run("add", "bread")
        self.wait_until("document.querySelectorAll('tbody tr[data-id]').length === 2")
        self.wait_until("document.getElementById('undo').textContent === 'Undo shopping.add(\"milk\", \"grocer\")'")
        self.browser.click("#undo")
        self.wait_for(lambda: self.rows_in(self.browser) == ["bread"])

    def test_a_lost_connection_is_said_and_made_again(self):
        self.expected_messages += ["ERR_", "403", "Failed to load"]
        with open(self.path("token"), "w") as file:
            file.write("0123456789abcdef\n")
        port = self.server.address.split(":")[2].split("/")[0]
        self.serve_again("--token-file", self.path("token"), port=port)
        self.server.stop()
        self.wait_for_text("The connection to the app is lost.")
        self.server.start()
        self.server.run("add", "milk")
        self.wait_for(lambda: self.rows_in(self.browser) == ["milk"])
        self.wait_until("document.getElementById('status').textContent === ''")

    def test_a_server_that_is_killed_loses_nothing_that_was_saved(self):
        self.expected_messages += ["ERR_", "Failed to load"]
        self.fill("add", name="milk")
        self.wait_for(lambda: "milk" in subprocess.run(
            self.server.command("-e", "print(shopping.items[1].name)"), capture_output=True, text=True,
        ).stdout)
        self.server.process.kill()
        self.wait_for_text("The connection to the app is lost.")
        self.server.process.wait()
        self.server.process.stdout.close()
        self.server.start()
        self.open()
        self.wait_for(lambda: self.rows_in(self.browser) == ["milk"])

    def test_a_long_history_and_long_lists_stay_quick(self):
        self.browser.open("about:blank")
        self.server.stop()
        self.server.run_code("for i = 1, 100000 do shopping.add('item ' .. i) end")
        self.server.start()
        self.open()
        self.wait_for_text("100,000")
        self.wait_until("document.querySelector('.entry')?.dataset.number === '100000'")
        # The last 10,000 actions can be undone.
        self.move_slider(95_000)
        self.wait_for_text("95,000")
        self.wait_for_text("The past: after action 95,000 of 100,000")
        self.browser.run(
            "const one = document.querySelector('section.list input[type=search]'); one.value = 'item 9999';"
            "one.dispatchEvent(new Event('input'))"
        )
        self.wait_for_text("1 of 95,000")
        self.move_slider(100_000)
        self.wait_for_text("11 of 100,000")
        self.assertLess(self.browser.run("return document.querySelectorAll('*').length"), 3000)


class PostgresTests(PageTest):
    app = "household"

    def setUp(self):
        folders = sorted(os.listdir("/usr/lib/postgresql"), key=int) if os.path.isdir("/usr/lib/postgresql") else []
        programs = f"/usr/lib/postgresql/{folders[-1]}/bin" if folders else os.path.dirname(shutil.which("initdb") or "")
        if not programs:
            self.skipTest("PostgreSQL isn't installed")
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.database = tempfile.mkdtemp(dir="/tmp")
        # PostgreSQL refuses to run as root.
        self.owner = {}
        if os.getuid() == 0:
            account = pwd.getpwnam("postgres")
            os.chown(self.database, account.pw_uid, account.pw_gid)
            self.owner = {"user": account.pw_uid, "group": account.pw_gid}
        data = f"--pgdata={self.database}/data"
        self.pg_ctl = [f"{programs}/pg_ctl", data]
        self.command([f"{programs}/initdb", data, "--username=tester", "--auth=trust", "--no-sync"])
        options = f"-p {self.port} -k {self.database} -c listen_addresses=127.0.0.1"
        self.command([*self.pg_ctl, "start", "--wait", "--log", f"{self.database}/log", "--options", options])
        self.addCleanup(self.end_database)
        super().setUp()

    def command(self, words):
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, cwd="/tmp", **self.owner)

    def end_database(self):
        self.command([*self.pg_ctl, "stop", "--mode=immediate"])
        shutil.rmtree(self.database)

    def serve(self, *options, **parameters):
        address = f"postgresql://tester@127.0.0.1:{self.port}/postgres?session=household"
        return Server(self.app, address, *options, **parameters)

    def test_a_session_on_a_server_is_followed(self):
        self.fill("add", name="milk")
        self.wait_until("document.querySelectorAll('tbody tr[data-id]').length === 1")
        self.server.run("add", "bread")
        self.wait_for_text("bread")
        # Who did it.
        self.wait_until("[...document.querySelectorAll('.entry')].every((one) => one.innerText.includes('@'))")
        self.browser.click("#undo")
        self.wait_until("document.querySelectorAll('tbody tr[data-id]').length === 1")
        self.wait_for_text("bread")


if __name__ == "__main__":
    main(__doc__)

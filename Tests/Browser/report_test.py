"""Checks the HTML report of scenarios in a real browser.

    report_test.py FOLDER [SCREENSHOTS]

FOLDER contains the pages that the Swift test "is written for the browser" writes; `make browser-test` does both.
With SCREENSHOTS, pictures of the report are written to that folder.
"""

import json
import os
import sys
import unittest

from webdriver import CONTRASTS, ESCAPE, TAB, BrowserTest

FOLDER = ""
SCREENSHOTS = None


class ReportTest(BrowserTest):
    """The page with results of all kinds, unless a test opens another one."""

    patience = 10

    def setUp(self):
        self.browser.resize(1100, 900)
        self.browser.use_colors("light")
        self.browser.log("browser")
        self.browser.log("performance")
        self.open("report")

    def tearDown(self):
        """Whatever a test does, nothing is reported on the console, and nothing is loaded but the page itself."""
        messages = [entry["message"] for entry in self.browser.log("browser")]
        self.assertEqual(messages, [])
        for entry in self.browser.log("performance"):
            event = json.loads(entry["message"])["message"]
            if event["method"] == "Network.requestWillBeSent":
                address = event["params"]["request"]["url"]
                self.assertTrue(address.startswith((f"file://{FOLDER}/", "data:")), address)

    def open(self, name):
        self.browser.open(f"file://{FOLDER}/{name}.html")

    def names(self):
        """The names of the scenarios that are shown."""
        return self.browser.run(
            "return [...document.querySelectorAll('.name')].map((one) => one.textContent)"
        )

    def count(self):
        return self.browser.run("return document.getElementById('count').textContent")

    def search(self, text):
        self.browser.press("/", *text)

    # What is shown

    def test_shows_what_came_of_the_run(self):
        self.assertEqual(self.browser.run("return document.title"), "Failed: primerepl test")
        facts = self.browser.run("return document.getElementById('facts').textContent")
        self.assertEqual(
            facts,
            "6 passed, 2 failed, 1 flaky, 1 skipped, 1 todo · 11 scenarios in 3 files · 0.84 s · 2 snapshots written"
            " · 2026-11-25 12:00 UTC · primerepl 0.4.0",
        )
        problems = self.browser.run("return document.getElementById('problems').innerText")
        self.assertIn("tests/broken.scenario.lua:3", problems)

    def test_opens_failed_scenarios(self):
        self.assertEqual(
            self.browser.run("return [...document.querySelectorAll('details[open] .name')].map((one) => one.textContent)"),
            ["prime card › a prime can be saved from it", "signup › submits › what was entered"],
        )
        text = self.browser.run("return document.querySelector('details[open]').innerText")
        for part in [
            "The state changed in other ways than expected.", "scenarios/counter.scenario.lua:12",
            "expect.changes(counter.press_modal_button, {", "called from scenarios/steps.lua:8",
            '+ "Remove from favorite primes"', "counter.set(7)", "asking for 7",
            "primerepl test scenarios/counter.scenario.lua:7",
        ]:
            self.assertIn(part, text)

    def test_shows_a_run_without_scenarios(self):
        self.open("empty")
        self.assertEqual(self.names(), [])
        self.assertEqual(self.browser.run("return document.getElementById('verdict').textContent"), "Passed")

    def test_shows_any_text_as_text(self):
        self.open("hostile")
        self.assertEqual(len(self.names()), 1)
        self.assertIn("\\x1b[2J", self.names()[0])
        self.assertIn("\\u{202e}evil", self.names()[0])
        self.assertIn("<script>", self.names()[0])
        self.assertEqual(self.browser.run("return document.scripts.length"), 2)

    # Search and filters

    def test_search_narrows_by_all_words(self):
        self.search("FETCH todo")
        self.wait_for_value("2 of 11 scenarios", self.count)
        self.assertEqual(
            self.names(),
            ["todo › a failed fetch keeps the items", "todo › items are fetched from the service: needs --live"],
        )

    def test_search_finds_messages_and_says_when_there_is_none(self):
        self.search("longer than 5")
        self.wait_for_value("1 of 11 scenarios", self.count)
        self.browser.press(*"?!")
        self.wait_for_value("0 of 11 scenarios", self.count)
        self.assertIn("No scenario matches.", self.browser.run("return document.body.innerText"))

    def test_filters_by_outcome(self):
        self.browser.click("#outcomes button", "skipped")
        self.assertEqual(self.count(), "1 of 11 scenarios")
        self.browser.click("#outcomes button", "failed")
        self.assertEqual(self.count(), "2 of 11 scenarios")
        pressed = "return [...document.querySelectorAll('#outcomes [aria-pressed=true]')].map((one) => one.textContent)"
        self.assertEqual(self.browser.run(pressed), ["failed 2"])
        self.browser.click("#outcomes button", "failed")
        self.assertEqual(self.count(), "11 scenarios")
        self.assertEqual(self.browser.run(pressed), ["all 11"])

    def test_filters_by_tag_and_outcome_and_words_at_once(self):
        self.browser.click("#tags button", "#async")
        self.assertEqual(self.count(), "4 of 11 scenarios")
        self.browser.click("#outcomes button", "passed")
        self.assertEqual(self.names(), ["todo › a failed fetch keeps the items"])
        self.search("signup")
        self.wait_for_value("0 of 11 scenarios", self.count)

    def test_a_scenario_stays_open_when_filters_change(self):
        self.browser.click("summary", "✓passed: the counter")
        self.browser.click("#tags button", "#counter")
        self.assertEqual(self.browser.run("return document.querySelectorAll('details[open]').length"), 2)

    # Keys

    def test_slash_begins_a_search_and_escape_ends_it(self):
        self.search("flak")
        self.assertEqual(self.browser.run("return document.activeElement.id"), "search")
        self.browser.press(ESCAPE)
        self.wait_for_value("11 scenarios", self.count)

    def test_everything_is_reached_by_tab_and_shows_its_focus(self):
        reached = []
        for _ in range(24):
            self.browser.press(TAB)
            reached.append(
                self.browser.run(
                    "const one = document.activeElement;"
                    "return [one.id || one.tagName, getComputedStyle(one).outlineStyle, one.innerText]"
                )
            )
        names = [name for name, _, _ in reached]
        # The link to the scenarios, the legend, and the search.
        self.assertEqual(names[:3], ["A", "SUMMARY", "search"])
        # All outcomes, all tags, the copies of the two commands in sight, and all scenarios.
        self.assertEqual(names[3:].count("BUTTON"), 6 + 6 + 2)
        self.assertIn("SUMMARY", names[3:])
        self.assertEqual({style for name, style, _ in reached}, {"solid"})

    # Looks

    def test_texts_have_enough_contrast(self):
        self.browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true })")
        for scheme in ["light", "dark"]:
            self.browser.use_colors(scheme)
            contrasts = self.browser.run(CONTRASTS)
            self.assertGreater(len(contrasts), 100)
            self.assertEqual([one for one in contrasts if one[0] < 4.5], [], scheme)

    def test_is_dark_where_that_is_preferred(self):
        color = "return getComputedStyle(document.body).backgroundColor"
        self.assertEqual(self.browser.run(color), "rgb(247, 247, 245)")
        self.browser.use_colors("dark")
        self.assertEqual(self.browser.run(color), "rgb(22, 24, 27)")

    def test_fits_any_width(self):
        for name in ["report", "hostile", "many"]:
            self.open(name)
            for width in [320, 600, 1600]:
                self.browser.resize(width, 800)
                self.browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true })")
                self.assertEqual(
                    self.browser.run("return document.documentElement.scrollWidth"), width, name
                )

    def test_everything_has_a_name_for_screen_readers(self):
        tree = self.browser.developer_command("Accessibility.getFullAXTree")["nodes"]
        nameless = [
            node["role"]["value"] for node in tree
            if not node.get("ignored")
            and node["role"]["value"] in ("button", "link", "searchbox", "heading", "region", "DisclosureTriangle")
            and not node.get("name", {}).get("value")
        ]
        self.assertEqual(nameless, [])
        status = "return document.querySelector('[role=status]').getAttribute('aria-live')"
        self.assertEqual(self.browser.run(status), "polite")

    # Size

    def test_shows_10_000_scenarios_a_part_at_a_time(self):
        self.open("many")
        self.assertEqual(self.count(), "10,000 scenarios")
        self.assertLess(len(self.names()), 500)
        self.browser.run("scrollTo(0, document.body.scrollHeight)")
        self.wait_for_value(True, lambda: len(self.names()) > 150)
        self.search("9999")
        self.wait_for_value("1 of 10,000 scenarios", self.count)
        self.assertEqual(self.names(), ["many › scenario 9999"])

    def test_prints_all_that_is_chosen(self):
        self.open("many")
        self.browser.click("#outcomes button", "failed")
        self.browser.run("dispatchEvent(new Event('beforeprint'))")
        self.assertEqual(self.browser.run("return document.querySelectorAll('details[open]').length"), 20)

    def test_prints_no_filters(self):
        self.browser.use_print_styles()
        self.assertEqual(
            self.browser.run("return getComputedStyle(document.querySelector('.filters')).display"), "none")

    # Pictures

    def test_pictures(self):
        if SCREENSHOTS is None:
            self.skipTest("asked for by naming a folder")
        os.makedirs(SCREENSHOTS, exist_ok=True)
        for scheme in ["light", "dark"]:
            self.browser.use_colors(scheme)
            for width, height in [(1100, 1000), (400, 1200)]:
                self.open("report")
                self.browser.resize(width, height)
                self.browser.screenshot(f"{SCREENSHOTS}/{scheme}-{width}.png")
        # For the documentation: up to the end of the first file.
        self.browser.use_colors("light")
        self.open("report")
        self.browser.resize(960, 1000)
        end = self.browser.run("return document.querySelectorAll('.last')[0].getBoundingClientRect().bottom")
        self.browser.resize(960, int(end) + 16)
        self.browser.screenshot(f"{SCREENSHOTS}/scenario-report.png")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    FOLDER = os.path.realpath(sys.argv[1])
    SCREENSHOTS = sys.argv[2] if len(sys.argv) > 2 else None
    unittest.main(argv=sys.argv[:1])

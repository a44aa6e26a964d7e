"""Takes the pictures of the page in the documentation.

    picture_test.py PROGRAM FOLDER

PROGRAM is primerepl; the pictures are written to FOLDER.
"""

import os
import sys

from page import PageTest, main


class PictureTest(PageTest):
    def take(self, name, height):
        """Takes a picture of the page's top, when nothing moves."""
        self.browser.resize(1200, height)
        self.browser.run("document.activeElement.blur(); scrollTo(0, 0); document.querySelector('aside').scrollTo(0, 0)")
        self.wait_until("document.getAnimations().length === 0")
        os.makedirs(sys.argv[2], exist_ok=True)
        self.browser.screenshot(os.path.join(sys.argv[2], f"{name}.png"))


class LendingPictures(PictureTest):
    def test_page(self):
        self.server.run("add", "drill", "120")
        self.server.run("add", "ladder", "80.50")
        self.server.run("lend", "drill", "Ann", "2026-11-02")
        self.wait_for_text("lending.lend(")
        self.take("page", 860)


class HouseholdPictures(PictureTest):
    app = "household"

    def setUp(self):
        super().setUp()
        for words in [
            ["add", "milk", "grocer", "2 l"], ["add", "apples", "market", "5"], ["add", "soap", "chemist"],
            ["add", "bread"], ["buy", "4", "3.20"], ["buy", "1", "1.25"],
        ]:
            self.server.run(*words)
        self.wait_until("document.querySelectorAll('#actions .entry').length === 6")

    def test_chosen_records_and_a_chart(self):
        self.browser.click("tr[data-id='2'] input[type=checkbox]")
        self.browser.click("tr[data-id='3'] input[type=checkbox]")
        self.wait_for_text("2 records chosen")
        self.browser.run("document.querySelector('details.charts').open = true")
        self.wait_until("document.querySelector('.chart svg')")
        self.take("page-chart", 1000)

    def test_the_past(self):
        self.move_slider(4)
        self.wait_for_text("The past: after action 4 of 6")
        self.browser.click("#actions .entry[data-number='2'] button.plain", "Compare")
        self.wait_until("document.getElementById('differences').innerText.includes('shopping.items')")
        self.take("page-past", 860)


if __name__ == "__main__":
    main(__doc__, parameters=2)

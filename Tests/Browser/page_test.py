"""Uses the page of an app in a real browser, as a person would who knows no Lua.

    page_test.py PROGRAM

PROGRAM is primerepl; the apps are among the Examples.
"""

import os
import socket

from page import PageTest, main
from webdriver import CONTRASTS, DOWN, ENTER, ESCAPE, LEFT, RIGHT, TAB, UP


class LendingTests(PageTest):
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
        self.browser.press("y", control=True)
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
        self.browser.run("const one = document.querySelector('input[aria-label=days]'); one.focus(); one.value = '200'")
        self.browser.press(ENTER)
        self.wait_for_text("lending.days: expected an integer from 1 to 90, found 200")
        self.assertEqual(
            self.browser.run("return document.querySelector('input[aria-label=days]').getAttribute('aria-invalid')"), "true"
        )

    def test_the_history_of_a_record(self):
        self.server.run("add", "drill", "1")
        self.server.run("add", "ladder", "2")
        self.server.run("lend", "drill", "Ann", "2026-11-02")
        self.wait_until("document.querySelectorAll('#actions .entry').length === 3")
        self.browser.click("td a", "2")
        self.wait_until("document.querySelectorAll('#actions .entry').length === 1")
        self.wait_for_text("Only lending.tools 2")
        self.browser.click("#all-records")
        self.wait_until("document.querySelectorAll('#actions .entry').length === 3")

    def test_the_past_is_shown_and_gone_to(self):
        for name in ["drill", "ladder", "saw"]:
            self.server.run("add", name, "1")
        self.wait_until("document.getElementById('moment').max === '3'")
        self.move_slider(1)
        self.wait_for_rows("tools", [["1", "drill", "1.00", ""]])
        self.wait_for_text("The past: after action 1 of 3")
        self.wait_until("!document.querySelector('section.calls').checkVisibility() && !document.querySelector('td.editable, dd input')")
        self.browser.press(ESCAPE)
        self.wait_until("document.querySelector('section.calls').checkVisibility() && document.querySelector('td.editable')")
        self.assertEqual(len(self.rows("tools")), 3)
        self.move_slider(2)
        self.wait_until("!document.getElementById('go-here').hidden")
        self.browser.click("#go-here")
        self.wait_until("!document.body.classList.contains('past')")
        self.wait_for_rows("tools", [["1", "drill", "1.00", ""], ["2", "ladder", "1.00", ""]])

    def test_a_read_only_page_shows_and_changes_nothing(self):
        self.server.run("add", "drill", "120")
        self.serve_again("--read-only")
        self.wait_for_rows("tools", [["1", "drill", "120.00", ""]])
        self.assertFalse(
            self.browser.run("return Boolean(document.querySelector('section.calls, td.editable, dd input, #console:not([hidden])'))")
        )
        self.wait_until("document.getElementById('undo').getAttribute('aria-disabled') === 'true'")

    # Lists, the console and injections

    def test_long_lists_are_shown_by_windows_sorted_and_filtered(self):
        path = self.path("tools.csv")
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


class HouseholdTests(PageTest):
    app = "household"

    # A day's work by keyboard alone

    def test_a_day_by_keyboard(self):
        press = self.browser.press
        press("f", TAB, *"milk", TAB, *"gr", TAB, *"2 l", ENTER)
        self.wait_for_rows("items", [["1", "milk", "2 l", "grocer", "false", ""]])
        # The form is ready for the next one.
        press(*"apples", TAB, *"market", TAB, *"5", ENTER)
        self.wait_until("document.querySelectorAll('tbody tr[data-id]').length === 2")
        # The table: down to the apples, and right to the amount.
        press(ESCAPE, "t", DOWN, RIGHT, RIGHT, ENTER)
        self.wait_until("document.querySelector('td.editing input')")
        press(*" kg", ENTER)
        self.wait_for_rows(
            "items", [["1", "milk", "2 l", "grocer", "false", ""], ["2", "apples", "5 kg", "market", "false", ""]]
        )
        self.wait_until("document.activeElement.matches('td[data-column=amount]')")
        # Both are chosen, and bought.
        press(" ", UP, " ")
        self.wait_for_text("2 records chosen")
        press(TAB)
        self.wait_until("document.activeElement.textContent === 'buy'")
        press(ENTER)
        self.wait_until("document.activeElement.matches('.choice input')")
        press(*"1.5", ENTER)
        self.wait_for_rows(
            "items", [["1", "milk", "2 l", "grocer", "true", "1.50"], ["2", "apples", "5 kg", "market", "true", "1.50"]]
        )
        self.wait_until("document.querySelectorAll('#actions .entry').length === 4")
        # As one step, which is undone.
        press("z", control=True)
        self.wait_until("document.querySelector('tbody tr[data-id]').innerText.includes('false')")
        press("y", control=True)
        self.wait_until("document.querySelector('tbody tr[data-id]').innerText.includes('true')")
        # The past, by the slider.
        press("h", LEFT, LEFT)
        self.wait_for_text("The past: after action 2 of 4")
        self.wait_for_rows(
            "items", [["1", "milk", "2 l", "grocer", "false", ""], ["2", "apples", "5", "market", "false", ""]]
        )
        press(ESCAPE)
        self.wait_until("!document.body.classList.contains('past')")
        press("/", *"apples")
        self.wait_until("document.querySelectorAll('#actions .entry').length === 1")
        press(ESCAPE, ":", *"shopping.open", ENTER)
        self.wait_until("document.getElementById('log').innerText.includes('0')")
        press(ESCAPE, "?")
        self.wait_until("document.getElementById('keys').open")
        press(ESCAPE)
        self.wait_until("!document.getElementById('keys').open")

    # Several records

    def add(self, *names):
        for name in names:
            self.server.run("add", name)
        self.wait_until(f"document.querySelectorAll('tbody tr[data-id]').length === {len(names)}")

    def add_items(self, count):
        self.server.run_code(f"for i = 1, {count} do shopping.add('item ' .. i) end")
        self.wait_until(f"document.getElementById('moment').max === '{count}'")
        self.wait_until(f"document.querySelector('section.list .bar .quiet').textContent === '{count:,}'")

    def add_while_held(self):
        """Adds an item while an answer is held, and releases that and then the one that shows the item."""
        self.wait_until("window.held.length === 1")
        self.server.run("add", "milk")
        self.wait_until("window.held.length === 2")
        for _ in range(2):
            self.browser.run("window.held.shift()()")

    def test_a_function_for_chosen_records_is_one_step(self):
        self.add("milk", "bread", "soap")
        self.browser.click("td input[type=checkbox]")
        self.browser.click("tr[data-id='3'] input[type=checkbox]")
        self.wait_for_text("2 records chosen")
        self.browser.click(".choice button", "remove")
        self.wait_for_rows("items", [["2", "bread", "", "grocer", "false", ""]])
        self.wait_until("document.querySelector('.choice').hidden")
        self.wait_until("document.getElementById('undo').textContent.startsWith('Undo shopping.remove(')")
        self.browser.click("#undo")
        self.wait_until("document.querySelectorAll('tbody tr[data-id]').length === 3")

    def test_nothing_is_changed_if_one_of_the_chosen_records_is_refused(self):
        self.expected_messages.append("422")
        self.add("milk", "bread")
        self.server.run("buy", "2")
        self.browser.click("tr[data-id='1'] input[type=checkbox]")
        self.browser.click("tr[data-id='2'] input[type=checkbox]")
        self.browser.click(".choice button", "buy")
        self.wait_until("document.querySelector('.choice form input')")
        self.browser.click(".choice form button.main")
        self.wait_for_text("bread was bought already.")
        self.wait_for_text("2 records chosen")
        self.wait_until("document.getElementById('moment').max === '3'")

    # Reading

    def test_an_accessibility_checker_finds_nothing(self):
        if "AXE" not in os.environ:
            self.skipTest("AXE names no file of axe-core")
        with open(os.environ["AXE"]) as file:
            checker = file.read()
        self.add("milk", "bread")
        self.server.run("buy", "1", "1.20")
        self.browser.click("tr[data-id='2'] input[type=checkbox]")
        self.browser.run("for (const one of document.querySelectorAll('details')) one.open = true")
        self.wait_until("document.querySelector('.chart svg')")
        self.browser.press(":", *"shopping", ENTER)
        self.wait_until("document.getElementById('log').innerText.includes('spent')")
        for scheme in ["light", "dark"]:
            self.browser.use_colors(scheme)
            self.assertEqual(self.browser.check_accessibility(checker), [])
        self.move_slider(2)
        self.wait_for_text("The past: after action 2 of 3")
        self.assertEqual(self.browser.check_accessibility(checker), [])
        self.browser.run("document.activeElement.blur()")
        self.browser.press("?")
        self.assertEqual(self.browser.check_accessibility(checker), [])

    # References

    def test_a_record_among_many_is_found_by_its_label(self):
        self.add_items(300)
        self.browser.click("summary", "remove")
        self.wait_until("document.querySelector('details[open] input[list=choices]')")
        self.browser.run("document.querySelector('details[open] input[list=choices]').focus()")
        self.browser.press(*"item 250")
        self.wait_until("[...document.querySelectorAll('#choices option')].map((one) => one.value).join() === 'item 250 #250'")
        self.browser.press(*" #250", ENTER)
        self.wait_for_text("299")

    def test_records_are_found_by_what_was_typed_last(self):
        self.add_items(300)
        self.browser.click("summary", "remove")
        self.wait_until("document.querySelector('details[open] input[list=choices]')")
        self.hold_answers("records")
        self.browser.run("document.querySelector('details[open] input[list=choices]').focus()")
        self.browser.press(*"29")
        self.wait_until("window.held.length === 3")
        for _ in range(3):
            self.browser.run("window.held.pop()()")
        # Whatever was released is shown before another answer is.
        self.browser.run("return fetch('/page.css').then((one) => one.text())")
        self.assertEqual(self.browser.run("return document.querySelectorAll('#choices option').length"), 13)

    # The history

    def test_two_moments_are_compared(self):
        self.add("milk", "bread")
        self.server.run("buy", "1", "1.20")
        self.wait_until("document.querySelectorAll('#actions .entry').length === 3")
        self.browser.click("#actions .entry[data-number='1'] button.plain", "Compare")
        self.wait_for_text("From the state after #1 to that after #3:")
        self.wait_until("document.getElementById('differences').innerText.includes('shopping.items[1].bought')")
        self.assertEqual(
            self.browser.run("return [...document.querySelectorAll('#differences .new')].at(-1).innerText"), "1.2"
        )

    def test_actions_are_saved_as_a_scenario(self):
        self.add("milk", "bread")
        self.browser.run("document.getElementById('range').open = true")
        self.browser.run("document.getElementById('first').value = 1; document.getElementById('last').value = 2")
        self.browser.developer_command("Browser.setDownloadBehavior", behavior="allow", downloadPath=self.folder.name)
        self.browser.click("#save-scenario")
        self.wait_for_text("The scenario was saved as household-2-to-2.scenario.lua")
        path = self.path("household-2-to-2.scenario.lua")
        self.wait_for(lambda: os.path.exists(path))
        with open(path) as file:
            self.assertIn('shopping.add("bread"', file.read())

    def test_actions_of_one_command_stand_together_and_are_undone_together(self):
        self.browser.press(":", *"shopping.add('milk') shopping.add('bread')", ENTER)
        self.wait_for_text("2 actions of one command")
        self.wait_until("document.getElementById('undo').textContent === 'Undo 2 actions'")
        self.browser.click("#undo")
        self.wait_for_rows("items", [])

    def test_changes_are_shown_as_in_reports(self):
        self.add("milk")
        self.server.run("buy", "1", "2.5")
        self.wait_until("document.querySelectorAll('#actions .entry').length === 2")
        self.wait_until("document.querySelectorAll(\".entry[data-number='2'] .change\").length >= 2")
        changes = self.browser.run(
            "return [...document.querySelectorAll(\".entry[data-number='2'] .change\")].map((one) => one.innerText)"
        )
        self.assertEqual(changes[:2], ["shopping.items[1].pricenil→2.50", "shopping.items[1].boughtfalse→true"])

    # Addresses

    def test_addresses_lead_to_records_and_moments(self):
        self.add("milk", "bread", "soap")
        self.open("#shopping.items/2")
        self.wait_until("document.querySelector('tr.marked')?.innerText.includes('bread')")
        self.wait_for_text("Only shopping.items 2")
        self.wait_until("document.querySelectorAll('#actions .entry').length === 1")
        self.open("#shopping@1")
        self.wait_for_text("The past: after action 1 of 3")
        self.wait_for_rows("items", [["1", "milk", "", "grocer", "false", ""]])
        self.wait_until("document.querySelector('.entry[aria-current]').dataset.number === '1'")

    def test_an_address_leads_to_a_record_also_when_others_change_some_meanwhile(self):
        self.add_items(300)
        self.hold_answers("records")
        self.browser.run("location.hash = '#shopping.items/250'")
        # The first rows; then those around the record.
        self.release_answer()
        self.add_while_held()
        self.wait_until("document.querySelector('tr.marked')?.innerText.includes('item 250')")

    # Charts

    def test_charts_have_lines_over_actions_and_time_and_bars_of_groups(self):
        self.add("milk", "bread")
        self.server.run("buy", "1", "2.5")
        self.browser.run("document.querySelector('details.charts').open = true")
        choose = (
            "const one = [...document.querySelectorAll('.charts select')][arguments[0]]; one.value = arguments[1];"
            "one.dispatchEvent(new Event('change'))"
        )
        label = "document.querySelector('.chart svg')?.getAttribute('aria-label')"
        self.wait_until(f"{label}?.startsWith('shopping.open: 0 after #0, 1 after #3; at least 0, at most 2')")
        self.browser.run(choose, 0, "shopping.items")
        self.wait_until(f"{label}?.startsWith('shopping.items: 0 after #0, 2 after #3')")
        self.browser.run(choose, 1, "time")
        self.wait_until(f"{label}?.includes('2 after ') && !{label}.includes('#')")
        # Live
        self.server.run("add", "soap")
        self.wait_until(f"{label}?.includes('3 after ')")
        self.browser.run(choose, 0, "shopping.shops\nspent")
        self.wait_for_value(["grocer\t2.5\t"], lambda: self.texts(".bars tr"))

    # Two people

    def test_a_value_that_came_meanwhile_isn_t_replaced_unseen(self):
        self.expected_messages.append("422")
        self.add("milk")
        self.browser.run("document.querySelector('td[data-column=amount]').focus()")
        self.browser.press(ENTER)
        self.wait_until("document.querySelector('td.editing input')")
        self.server.run_code("shopping.items[1].amount = '3 l'")
        self.wait_until("document.getElementById('moment').max === '2'")
        self.browser.press(*"1 l", ENTER)
        self.wait_for_text('Meanwhile it became "3 l". Do it again to replace that.')
        self.assertEqual(self.browser.run("return document.querySelector('td.editing input').value"), "1 l")
        self.browser.press(ENTER)
        self.wait_for_rows("items", [["1", "milk", "1 l", "grocer", "false", ""]])

    def test_an_edit_goes_on_while_others_change_rows(self):
        self.add("milk", "bread")
        self.browser.run("document.querySelector('tr[data-id=\"2\"] td[data-column=amount]').focus()")
        self.browser.press(ENTER)
        self.wait_until("document.querySelector('td.editing input')")
        self.browser.press(*"1")
        self.server.run("buy", "1")
        self.server.run("buy", "2")
        self.server.run("add", "soap")
        self.wait_until("document.querySelectorAll('tbody tr[data-id]').length === 3")
        self.browser.press(*" kg", ENTER)
        self.wait_for_rows("items", [
            ["1", "milk", "", "grocer", "true", ""], ["2", "bread", "1 kg", "grocer", "true", ""],
            ["3", "soap", "", "grocer", "false", ""],
        ])

    def test_chosen_records_that_others_remove_are_chosen_no_more(self):
        self.add("milk", "bread")
        self.browser.click("tr[data-id='1'] input[type=checkbox]")
        self.browser.click("tr[data-id='2'] input[type=checkbox]")
        self.wait_for_text("2 records chosen")
        self.server.run("remove", "1")
        self.wait_for_text("1 record chosen")
        self.browser.click(".choice button", "remove")
        self.wait_for_rows("items", [])

    def test_a_rewritten_past_isn_t_shown(self):
        self.add("milk", "bread", "soap")
        self.move_slider(2)
        self.wait_for_text("The past: after action 2 of 3")
        self.server.run_code("store.jump(0) shopping.add('salt')")
        self.wait_for_text("Others have changed the history: this is the present.")
        self.wait_for_rows("items", [["4", "salt", "", "grocer", "false", ""]])
        self.open("#shopping@9")
        self.wait_for_text("There is no action #9: this is the present.")

    def test_what_is_undone_is_no_past(self):
        self.add("milk", "bread")
        self.browser.click("#undo")
        self.wait_until("document.querySelector('.entry.undone')")
        self.move_slider(2)
        self.wait_for_text("Undone: after action 2 of 2")

    def test_a_long_table_can_be_scrolled_after_a_cell_was_clicked(self):
        self.add_items(1000)
        self.browser.click("tr[data-id='1'] td[data-column=name]")
        for position in range(400, 12_000, 400):
            self.browser.run("document.querySelector('section.list .rows').scrollTop = arguments[0]", position)
            self.wait_until(f"document.querySelector('tr[data-id=\"{position // 34 + 2}\"]')")
        self.assertEqual(self.browser.run("return document.querySelector('section.list .rows').scrollTop"), 11_600)

    def test_earlier_actions_stay_when_others_come(self):
        self.add_items(120)
        for count in [100, 120]:
            self.browser.run("document.getElementById('more').click()")
            self.wait_until(f"document.querySelectorAll('#actions .entry').length === {count}")
        self.browser.run("document.querySelector(\".entry[data-number='3'] button.plain\").focus()")
        self.server.run("add", "milk")
        self.wait_until("document.querySelectorAll('#actions .entry').length === 121")
        self.assertEqual(self.browser.run("return document.activeElement.closest('.entry').dataset.number"), "3")

    def test_all_rows_are_printed(self):
        self.add_items(300)
        self.browser.run("window.print = () => { window.printed = document.querySelectorAll('tbody tr[data-id]').length }")
        self.browser.press("p", control=True)
        self.wait_until("window.printed === 300")
        self.wait_until("document.querySelectorAll('tbody tr[data-id]').length === 100")

    def test_all_rows_are_printed_also_when_others_change_some_meanwhile(self):
        self.add_items(300)
        self.browser.run("window.print = () => { window.printed = document.querySelectorAll('tbody tr[data-id]').length }")
        self.hold_answers("records")
        self.browser.press("p", control=True)
        self.add_while_held()
        self.wait_until("window.printed")
        self.assertEqual(self.browser.run("return window.printed"), 301)

    def test_earlier_actions_are_shown_also_when_others_come_meanwhile(self):
        self.add_items(120)
        self.hold_answers("history")
        self.browser.run("document.getElementById('more').click()")
        self.add_while_held()
        self.wait_until("document.querySelectorAll('#actions .entry').length === 101")

    def test_code_that_loops_is_stopped(self):
        self.expected_messages.append("422")
        self.browser.press(":", *"while true do end", ENTER)
        self.wait_until("!document.getElementById('stop').hidden")
        self.browser.click("#stop")
        self.wait_until("document.querySelector('#log .bad')?.innerText.includes('interrupted')")
        self.browser.press(*"1 + 1", ENTER)
        self.wait_until("[...document.querySelectorAll('#log li')].at(-1).innerText === '2'")


class ValueTests(PageTest):
    app = os.path.join(os.path.dirname(os.path.abspath(__file__)), "values.lua")

    def setUp(self):
        super().setUp()
        # Chromium would like a password to be in a form, and to have a user's name, too.
        self.expected_messages.append("[DOM] Password")
        self.wait_until("document.querySelector('input[aria-label=flag]')")

    def focus(self, name):
        self.browser.run("document.querySelector(`[aria-label=${arguments[0]}]`).focus()", name)

    def edit(self, column):
        """Begins to edit a cell of the first row."""
        self.browser.run("document.querySelector(`td[data-column=${arguments[0]}]`).focus()", column)
        self.browser.press(ENTER)
        self.wait_until("document.querySelector('td.editing :is(input, textarea)')")

    def value(self, name):
        return self.browser.run("return document.querySelector(`[aria-label=${arguments[0]}]`)?.value", name)

    def wait_for_state(self, expression, expected):
        self.browser.press(ESCAPE, ":", *f"tostring({expression})", ENTER)
        self.wait_for(lambda: self.texts("#log li")[-1:] == [f'"{expected}"'])

    def position(self):
        return self.browser.run("return document.getElementById('moment').value")

    def test_fields_follow_undo_and_others_while_they_have_the_focus(self):
        self.focus("flag")
        self.browser.press(" ")
        self.wait_for_value("1", self.position)
        self.browser.press("z", control=True)
        self.wait_until("!document.querySelector('[aria-label=flag]').checked")
        self.focus("number")
        self.server.run_code("values.number = 8")
        self.wait_for_value("8", lambda: self.value("number"))

    def test_nothing_that_is_only_looked_at_is_assigned(self):
        self.server.run("add", "x")
        self.wait_until("document.querySelector('tr[data-id]')")
        for name in ["flag", "maybe", "number", "text", "pin", "moment", "street"]:
            self.focus(name)
        for column in ["name", "price", "note"]:
            self.edit(column)
            self.browser.press(TAB)
            self.wait_until("!document.querySelector('td.editing')")
        self.assertFalse(self.browser.run("return document.querySelector('td[data-column=parts]').matches('.editable')"))
        self.assertEqual(self.position(), "1")

    def refusals(self):
        return [text for text in self.texts("[role=alert]") if text]

    def test_what_is_typed_while_a_field_is_assigned_is_assigned_next(self):
        self.hold_answers("set")
        self.focus("street")
        self.browser.press(*"Elm", ENTER)
        self.wait_until("window.held.length === 1")
        self.browser.press(*" St")
        self.release_answer()
        self.wait_for_value("1", self.position)
        self.browser.press(ENTER)
        self.release_answer()
        self.wait_for_value("2", self.position)
        self.assertEqual(self.refusals(), [])
        self.wait_for_state("values.place.street", "Elm St")

    def test_escape_comes_too_late_when_a_cell_is_being_assigned(self):
        self.server.run("add", "x")
        self.wait_until("document.querySelector('tr[data-id]')")
        self.hold_answers("set")
        self.edit("name")
        self.browser.press(*"yz", ENTER)
        self.wait_until("window.held.length === 1")
        self.browser.press(ESCAPE)
        self.assertTrue(self.browser.run("return document.querySelector('td.editing input') !== null"))
        self.release_answer()
        self.wait_until("!document.querySelector('td.editing')")
        self.wait_for_state("values.rows[1].name", "xyz")

    def test_a_field_can_be_assigned_after_the_server_could_not_be_asked_what_it_became(self):
        self.expected_messages.append("422")
        self.focus("street")
        self.browser.press(*"mine")
        self.server.run_code("values.place.street = 'theirs'")
        self.wait_for_value("1", self.position)
        self.browser.run("""
            const original = window.fetch;
            window.fetch = async (address, options) => {
              if (address !== '/api/values') return original(address, options);
              window.fetch = original;
              throw new TypeError('no network');
            };""")
        self.browser.press(ENTER)
        self.wait_for(lambda: self.refusals() == ['Meanwhile it became "theirs". Do it again to replace that.'])
        self.browser.press(ENTER)
        self.wait_for_value("2", self.position)
        self.assertEqual(self.refusals(), [])

    def test_a_refusal_goes_when_the_value_is_typed_that_is_there(self):
        self.expected_messages.append("422")
        self.focus("number")
        value = self.value("number")
        for typed, refusals in [("1.5", 1), (value, 0)]:
            self.browser.run("document.activeElement.value = arguments[0]", typed)
            self.browser.press(ENTER)
            self.wait_for(lambda: len(self.refusals()) == refusals)
        self.assertEqual(self.position(), "0")

    def test_escape_leaves_a_field_as_it_was(self):
        self.focus("street")
        self.browser.press(*"Elm Street", ESCAPE)
        self.wait_for_value("", lambda: self.value("street"))
        self.assertEqual(self.position(), "0")

    def test_escape_leaves_a_cell_as_it_was_also_when_it_loses_the_focus_at_once(self):
        self.server.run("add", "x")
        self.wait_until("document.querySelector('tr[data-id]')")
        self.edit("name")
        self.browser.press(*"yz")
        self.browser.run("""
            const input = document.querySelector('td.editing input');
            input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
            input.blur();""")
        self.wait_until("!document.querySelector('td.editing')")
        self.wait_for_state("values.rows[1].name", "x")
        self.assertEqual(self.position(), "1")

    def test_a_part_of_a_record_is_assigned(self):
        self.focus("street")
        self.browser.press(*"Elm Street", ENTER)
        self.wait_for_state("values.place.street", "Elm Street")

    def test_a_secret_is_typed_unseen_and_as_a_whole(self):
        self.focus("pin")
        self.browser.press(*"opensesame", ENTER)
        self.wait_for_value("1", self.position)
        self.focus("pin")
        self.browser.press(*"changed", ENTER)
        self.wait_for_value("2", self.position)
        self.assertEqual(self.value("pin"), "")
        self.fill("check", pin="changed")
        self.wait_until("document.querySelector('[aria-label=flag]').checked")

    def test_optional_truths_can_be_left_out(self):
        self.fill("tell", how="")
        self.wait_for_value("nil true", lambda: self.value("text"))
        self.fill("tell", so="false", how="false")
        self.wait_for_value("false false", lambda: self.value("text"))

    def test_times_are_local(self):
        self.browser.developer_command("Emulation.setTimezoneOverride", timezoneId="Asia/Tokyo")
        self.open()
        self.wait_for_value("1970-01-01T09:00", lambda: self.value("moment"))
        self.browser.run("document.querySelector('[aria-label=moment]').value = '2026-11-29T12:00'")
        self.focus("moment")
        self.browser.press(ENTER)
        self.wait_for_state("values.moment", "2026-11-29T03:00:00.000Z")

    def test_what_isn_t_a_number_is_said_beside_it(self):
        self.focus("number")
        self.browser.press("-", "-", ENTER)
        self.wait_until("document.querySelector('dd [role=alert]')?.innerText.includes('number') || "
                        "[...document.querySelectorAll('dd [role=alert]')].some((one) => one.innerText !== '')")
        self.assertEqual(self.position(), "0")

    def test_long_integers_are_exact(self):
        self.wait_for_text("9007199254740993")

    def test_forms_and_choices_of_a_feature_wait_while_another_is_shown(self):
        self.browser.click("summary", "add")
        self.wait_until("document.querySelector('details[open] input')")
        self.browser.run("document.querySelector('details[open] input').focus()")
        self.browser.press(*"half a na")
        self.browser.click("[role=tab]", "others")
        self.wait_until("document.querySelector('[aria-label=constructor]')")
        self.browser.click("[role=tab]", "values")
        self.wait_until("document.querySelector('details[open] input')?.value === 'half a na'")

    def test_choices_follow_the_list(self):
        self.browser.click("summary", "drop")
        self.server.run("add", "Rome")
        self.server.run("add", "Oslo")
        self.wait_for_value(["", "Rome", "Oslo"], lambda: self.texts("details[open] option"))


class RequestTests(PageTest):
    app = "shop"

    def setUp(self):
        # A service that takes the question, and never answers.
        self.service = socket.create_server(("127.0.0.1", 0))
        os.environ["SHOP_SERVICE"] = f"http://127.0.0.1:{self.service.getsockname()[1]}"
        super().setUp()

    def tearDown(self):
        super().tearDown()
        self.service.close()

    def test_a_pending_request_is_shown_and_cancelled(self):
        # Chromium would like a form with a password to have a user's name, too.
        self.expected_messages += ["422", "[DOM] Password"]
        self.server.run("add", "pen", "120")
        self.wait_for_text("pen")
        self.fill("checkout", card="4999 8888")
        self.wait_until("[...document.querySelectorAll('form.call button')].some((one) => one.innerText === 'Cancel')")
        self.assertEqual(
            self.browser.run("return [...document.querySelectorAll('details[open] input')].map((one) => one.type)"), ["password"]
        )
        self.browser.click("form.call button:not([hidden]):not(.main)", "Cancel")
        self.wait_until("document.querySelector('form.call [role=alert]:not([hidden])')?.innerText.includes('cancelled')")
        self.assertFalse(self.browser.run("return document.body.innerText.includes('4999')"))


if __name__ == "__main__":
    main(__doc__)

import Lua
import Testing
import TestSupport

@testable import Scripting

@MainActor
@Suite("The module date, and dates in apps")
struct DateModuleTests {
  private let app: DeclaredFixture

  init() throws {
    app = try DeclaredFixture(
      """
      feature "x" {
        state = {
          entries = list { day = date, at = time, minutes = editable(integer { min = 0, max = 1440 }), sorted_by = "day" },
          since = editable(date "2026-01-31"), last = editable(optional "time"), stars = editable(integer { min = 1, max = 5 }),
          rate = editable(number { min = 0.5, default = 2 }), low = number { max = -1.5 },
        },
        derived = {
          months = group("entries", function(e) return date.month(e.day) end, { minutes = sum(function(e) return e.minutes end) }),
        },
        actions = {
          add = action {
            "minutes: integer = 30", "day: date = today", "at: time = now", "token: string = random", "id: string = uuid",
            "share: number = random", "dice: integer = random", '[note: string = "none, = so far"]',
            function(state, minutes, day, at, token, id, share, dice, note)
              state.entries:append { minutes = minutes, day = day, at = at }
              return minutes .. " " .. note .. " " .. #token .. " " .. #id .. " " .. tostring(share >= 0 and share < 1 and dice >= 0)
            end,
          },
          due = action { "day: date", function(state, day) return date.add(day, { months = 1 }) end },
          set = function(state, name, value) state[name] = value end,
        },
      }
      """)
  }

  // MARK: - Functions

  private nonisolated static let calls: [(String, String)] = LuaCase.pairs(
    """
    date.add('2026-01-31', { months = 1 }) --> 2026-02-28
    date.add('2026-01-31', { years = 1, months = -2, weeks = 1, days = 1 }) --> 2026-12-08
    date.add('2026-01-31T10:00:00Z', { hours = -11, minutes = 1, seconds = 0.25 })
    --> 2026-01-30T23:01:00.250Z
    date.days('2026-11-26', '2026-12-24') --> 28
    date.days('2026-11-26T23:59:59Z', '2026-11-25') --> -1
    date.seconds('1970-01-01T00:00:01.5Z') --> 1.5
    date.seconds('1970-01-02') --> 86400
    date.time(0.25) --> 1970-01-01T00:00:00.250Z
    date.time(1.001) --> 1970-01-01T00:00:01.001Z
    date.time(-1) --> 1969-12-31T23:59:59.000Z
    date.day('2026-11-26T23:59:59Z') --> 2026-11-26
    date.month('2026-11-26') --> 2026-11
    date.week('2027-01-01') --> 2026-W53
    date.weekday('2026-11-26') --> 4
    date.format('2026-11-06', '%A %a %d %e %B %b %Y %y %m %j %u %V %G %F %H %M %S %T %%')
    --> Friday Fri 06  6 November Nov 2026 26 11 310 5 45 2026 2026-11-06 00 00 00 00:00:00 %
    date.format('2026-11-06T10:15:07Z', '%H:%M:%S') --> 10:15:07
    date.is_valid('2026-02-30') --> false
    date.is_valid('2026-02-28T10:00Z') --> true
    """)

  @Test("counts in scripts, and the same in actions", arguments: calls)
  func functions(_ call: String, _ expected: String) async throws {
    #expect(try await app.run("return \(call)") == expected)
    let other = try DeclaredFixture(
      "feature 'y' { actions = { run = function(state) return \(call) end } }")
    #expect(try await other.run("return y.run()") == expected)
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- says what is wrong with its arguments
      date.add('2026-02-30', {})
      --> …a date such as "2026-11-26", or a time such as "2026-11-26T10:15:00Z" expected, got
      --> "2026-02-30"…
      date.add('2026-02-20', { month = 1 }) --> …parts has no field 'month'…
      date.add('2026-02-20', { hours = 1 }) --> …added to a time, not to a day…
      date.add('2026-02-20', { years = 9000 }) --> …the calendar has the years 1 to 9999…
      date.add('2026-02-20', { days = math.maxinteger }) --> …the calendar has the years 1 to 9999…
      date.time(0/0) --> …the calendar has the years 1 to 9999…
      date.format('2026-02-20', '%Q') --> …write %% for a percent sign…
      date.weekday(5) --> …got number…
      -- has types of fields with initial values
      return x.since, x.last, x.stars, x.rate, x.low --> 2026-01-31 nil 1 2.0 -1.5
      x.last = '2026-11-26T10:00+01:00' return x.last --> 2026-11-26T09:00:00.000Z
      x.add(5, '2026-02-03') x.add(6, '2026-01-03') x.add(7, '2026-02-01')
      return x.months['2026-02'].minutes, x.entries[1].day --> 12 2026-01-03
      """))
  func scripts(example: LuaCase) async throws { try await app.check(example) }

  // MARK: - Arguments that a call leaves out

  @Test("gives actions the time, the day and random values, which are recorded with them")
  func defaults() async throws {
    #expect(try await app.run("return x.add()") == "30 none, = so far 32 36 true")
    let first = try app.lastAction()
    #expect(
      first.wholeMatch(
        of:
          /x\.add\(30, "\d{4}-\d\d-\d\d", "\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", "[0-9a-f]{32}", "[0-9a-f-]{36}", 0[.e\d-]+, \d+, "none, = so far"\)/
      ) != nil)
    #expect(try await app.run("x.add() return x.entries[1].day == clock.today()") == "true")
    #expect(try app.lastAction() != first)
    #expect(
      try await app.run("return x.add(5, '2026-02-03', '2026-02-03T10:00+01:00')").hasPrefix("5 "))
    #expect(
      try await app.run("return x.entries[1].day, x.entries[1].at")
        == "2026-02-03 2026-02-03T09:00:00.000Z")
  }

  @Test("has no part in repeated actions")
  func replay() async throws {
    try await app.run("x.add() store.undo() before = #x.entries store.redo()")
    let text = try app.lastAction()
    let other = try DeclaredFixture.like(app)
    try await other.run(text)
    #expect(try other.lastAction() == text)
  }

  @Test(
    "refuses defaults of other types",
    arguments: [
      ("at: time = today", "today has another type than time"),
      ("day: date = now", "now has another type than date"),
      ("n: integer = uuid", "uuid has another type than integer"),
      ("n: integer = 1.5", "its default: expected integer, found 1.5"),
      (
        "day: date = \"2026-02-30\"",
        #"its default: expected a date such as "2026-11-26", found "2026-02-30""#
      ),
      ("pin: secret = \"1\"", "a secret has no default"),
      ("n: integer = tomorrow", #""tomorrow" is no default"#),
      ("n: integer =", "\"\" is no default"),
    ])
  func badDefaults(_ parameter: String, _ problem: String) {
    let text = DeclaredFixture.problem(
      "feature 'x' { actions = { f = action { [=[\(parameter)]=], function() end } } }")
    #expect(text.contains(problem))
  }

  // MARK: - Fields

  @Test(
    "checks values, also in actions",
    arguments: [
      (
        "since", "'2026-02-30'",
        #"x.since: expected a date such as "2026-11-26", found "2026-02-30""#
      ),
      ("since", "nil", #"x.since: expected a date such as "2026-11-26", found nil"#),
      ("last", "'2026-11-26T10:00:00'", #"expected a time such as "2026-11-26T10:15:00Z", found"#),
      ("stars", "6", "x.stars: expected an integer from 1 to 5, found 6"),
      ("stars", "0", "x.stars: expected an integer from 1 to 5, found 0"),
      ("stars", "1.5", "x.stars: expected integer, found 1.5"),
      ("rate", "0.25", "x.rate: expected a number from 0.5, found 0.25"),
      ("low", "0", "x.low: expected a number up to -1.5, found 0"),
    ])
  func values(_ field: String, _ value: String, _ problem: String) async {
    #expect(await app.failure("x.set('\(field)', \(value))").contains(problem))
    if field != "low" { #expect(await app.failure("x.\(field) = \(value)").contains(problem)) }
  }

  @Test(
    "refuses types that have no values",
    arguments: LuaCase.pairs(
      """
      integer { min = 5, max = 1 } --> its min is greater than its max
      integer { min = 0.5 } --> x.state.f.min: expected integer, found 0.5
      integer { min = math.maxinteger } --> x.state.f.min: a bound has at most 53 bits
      list { name = '', label = 'nmae' }
      --> x.state.f.label: the records have no field 'nmae'; did you mean 'name'?
      integer { low = 1 } --> there is no such part
      integer { min = 1, default = 0 } --> its initial value: expected an integer from 1, found 0
      number { max = 'a' } --> x.state.f.max: it must be a number
      date '2026-02-30' --> its initial value: expected a date such as "2026-11-26"
      integer(5) --> x.state.f: it must be a table: integer { min = 1, max = 5 }
      """))
  func badTypes(_ type: String, _ problem: String) {
    #expect(DeclaredFixture.problem("feature 'x' { state = { f = \(type) } }").contains(problem))
  }
}

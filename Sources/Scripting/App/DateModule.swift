import Lua
import PrimereplFoundation
import StateStore

extension LuaModule {
  /// The module `date`: days and times, as texts that have their order.
  ///
  /// No function depends on anything but its arguments: code of declarations has them, too.
  static var date: LuaModule {
    LuaModule("date", help: "Days and times: adding, counting, formats.") { module in
      module.addArithmetic()
      module.addParts()
    }
  }

  private func addArithmetic() {
    function(
      "add", "day", "parts",
      help: "A day or time some years, months, weeks, days, hours, minutes or seconds later.",
      example: "date.add(\"2026-01-31\", { months = 1 })"
    ) { (moment: Moment, parts: DateParts) in try moment.adding(parts).text }
    function(
      "days", "from", "to", help: "The number of days from a day to another one.",
      example: "date.days(\"2026-11-26\", \"2026-12-24\")"
    ) { (start: Moment, end: Moment) in end.day.daysSince1970 - start.day.daysSince1970 }
    function(
      "seconds", "time",
      help: "The seconds since 1970 of a time, or of the beginning of a day in UTC.",
      example: "date.seconds(\"2026-11-26T10:15:00Z\")"
    ) { (moment: Moment) in
      let milliseconds = moment.time.millisecondsSince1970
      return milliseconds.isMultiple(of: 1000)
        ? LuaValue.integer(Int64(milliseconds / 1000)) : .number(Double(milliseconds) / 1000)
    }
    function(
      "time", "seconds", help: "The time some seconds after the beginning of 1970.",
      example: "date.time(clock.now())"
    ) { (seconds: Double) in
      guard let milliseconds = Int(exactly: (seconds * 1000).rounded()),
        let time = TimeStamp(millisecondsSince1970: milliseconds)
      else { throw LuaError.outsideCalendar }
      return time.description
    }
  }

  private func addParts() {
    function(
      "day", "time", help: "The day of a time, in UTC.",
      example: "date.day(\"2026-11-26T10:15:00Z\")"
    ) { (moment: Moment) in moment.day.description }
    function(
      "month", "day", help: "The month of a day or time, such as \"2026-11\".",
      example: "date.month(\"2026-11-26\")"
    ) { (moment: Moment) in String(moment.day.description.prefix(7)) }
    function(
      "week", "day",
      help: "The week of a day or time as ISO 8601 counts them, such as \"2026-W48\".",
      example: "date.week(\"2026-11-26\")"
    ) { (moment: Moment) in
      let week = moment.day.week
      return "\(week.year.padded(to: 4))-W\(week.week.padded(to: 2))"
    }
    function(
      "weekday", "day", help: "The day of the week of a day or time: 1 for Monday, 7 for Sunday.",
      example: "date.weekday(\"2026-11-26\")"
    ) { (moment: Moment) in moment.day.weekday }
    function(
      "format", "day", "format",
      help:
        "A day or time in a format such as \"%d.%m.%Y %H:%M\", with English names; times are in UTC.",
      example: "date.format(\"2026-11-26\", \"%A, %d %B %Y\")"
    ) { (moment: Moment, format: String) in try moment.text(in: format) }
    function(
      "is_valid", "text", help: "Whether a text is a day or a time.",
      example: "date.is_valid(\"2026-02-30\")"
    ) { (text: String) in Moment(text) != nil }
  }
}

/// A day or a time that code gives.
private enum Moment: LuaReadable {
  case day(CalendarDate)
  case time(TimeStamp)

  static let luaTypeName = "string"

  init?(_ text: String) {
    if let day = CalendarDate(text) {
      self = .day(day)
    } else if let time = TimeStamp(text) {
      self = .time(time)
    } else {
      return nil
    }
  }

  static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Moment {
    let text = try String.read(from: stack, at: index)
    guard let moment = Moment(text) else {
      throw LuaTypeMismatch(
        expected: "a date such as \"2026-11-26\", or a time such as \"2026-11-26T10:15:00Z\"",
        got: text.onOneLine.shortenedForMessage.luaLiteral)
    }
    return moment
  }

  var day: CalendarDate {
    switch self {
    case .day(let day): day
    case .time(let time): time.date
    }
  }

  var time: TimeStamp {
    switch self {
    case .day(let day): TimeStamp(date: day, millisecondOfDay: 0)
    case .time(let time): time
    }
  }

  var text: String {
    switch self {
    case .day(let day): day.description
    case .time(let time): time.description
    }
  }

  /// The day or time later by some parts: first the years and months, then the others.
  func adding(_ parts: DateParts) throws -> Moment {
    guard let months = parts.months.adding(parts.years, times: 12),
      let days = parts.days.adding(parts.weeks, times: 7),
      let day = day.adding(months: months)?.adding(days: days)
    else { throw LuaError.outsideCalendar }
    guard case .time(let time) = self else {
      guard parts.hours == 0, parts.minutes == 0, parts.seconds == 0 else {
        throw LuaError(
          .badArgument, "date.add: hours, minutes and seconds are added to a time, not to a day")
      }
      return .day(day)
    }
    let seconds = Double(parts.hours) * 3600 + Double(parts.minutes) * 60 + parts.seconds
    let start = TimeStamp(date: day, millisecondOfDay: time.millisecondOfDay)
    guard let later = Int(exactly: (seconds * 1000).rounded()),
      let milliseconds = start.millisecondsSince1970.adding(later, times: 1),
      let result = TimeStamp(millisecondsSince1970: milliseconds)
    else { throw LuaError.outsideCalendar }
    return .time(result)
  }

  // MARK: - Formats

  private static let weekdays = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// The text in a format of C's `strftime`.
  func text(in format: String) throws -> String {
    var text = ""
    var rest = format[...]
    while let character = rest.popFirst() {
      guard character == "%" else {
        text.append(character)
        continue
      }
      guard let conversion = rest.popFirst(), let part = part(conversion) else {
        throw LuaError(
          .badArgument,
          "date.format: write %% for a percent sign, or one of %Y %m %d %H %M %S %y %b %B %a %A %j %u %V %G %F %T %e"
        )
      }
      text += part
    }
    return text
  }

  private func part(_ conversion: Character) -> String? {
    let (day, clock) = (day, time.clock)
    return switch conversion {
    case "Y": "\(day.year)"
    case "y": (day.year % 100).padded(to: 2)
    case "m": day.month.padded(to: 2)
    case "d": day.day.padded(to: 2)
    case "e": day.day < 10 ? " \(day.day)" : "\(day.day)"
    case "B": Self.months[day.month - 1]
    case "b": String(Self.months[day.month - 1].prefix(3))
    case "A": Self.weekdays[day.weekday - 1]
    case "a": String(Self.weekdays[day.weekday - 1].prefix(3))
    case "j": day.dayOfYear.padded(to: 3)
    case "u": "\(day.weekday)"
    case "V": day.week.week.padded(to: 2)
    case "G": "\(day.week.year)"
    case "F": day.description
    case "H": clock.hour.padded(to: 2)
    case "M": clock.minute.padded(to: 2)
    case "S": clock.second.padded(to: 2)
    case "T":
      "\(clock.hour.padded(to: 2)):\(clock.minute.padded(to: 2)):\(clock.second.padded(to: 2))"
    case "%": "%"
    default: nil
    }
  }
}

/// The parts of a time that `date.add` adds.
private struct DateParts: LuaOptions {
  var years = 0
  var months = 0
  var weeks = 0
  var days = 0
  var hours = 0
  var minutes = 0
  var seconds = 0.0

  static let options: [LuaOption<DateParts>] = [
    .option("years", \.years), .option("months", \.months), .option("weeks", \.weeks),
    .option("days", \.days), .option("hours", \.hours), .option("minutes", \.minutes),
    .option("seconds", \.seconds),
  ]
}

extension Int {
  /// The sum with a multiple of another number; nil if it overflows.
  fileprivate func adding(_ other: Int, times factor: Int) -> Int? {
    let (product, isTooLarge) = other.multipliedReportingOverflow(by: factor)
    let (sum, overflows) = addingReportingOverflow(product)
    return isTooLarge || overflows ? nil : sum
  }
}

extension LuaError {
  fileprivate static var outsideCalendar: LuaError {
    LuaError(.numberOutOfRange, "the calendar has the years 1 to 9999")
  }
}

import PrimereplFoundation

/// A day of the Gregorian calendar, from the year 1 to 9999.
public struct CalendarDate: Hashable, Sendable {
  /// The year.
  public let year: Int
  /// The month, from 1.
  public let month: Int
  /// The day of the month, from 1.
  public let day: Int

  /// The first day of 1970.
  public static let start = CalendarDate(unchecked: (1970, 1, 1))

  private init(unchecked parts: (year: Int, month: Int, day: Int)) {
    (year, month, day) = parts
  }

  /// Makes the date of a year, a month and a day; nil for a day that isn't in the calendar.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...Self.days(inMonth: month, of: year)).contains(day)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// Reads a text such as "2026-11-26"; nil for any other.
  public init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
      let day = Self.number(bytes[8..<10])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The number of some decimal digits; nil for other bytes.
  static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var number = 0
    for digit in digits {
      guard digit.isASCIIDigit else { return nil }
      number = number * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return number
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2:
      year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  // MARK: - Counting

  /// The number of days since 1970-01-01, which may be negative.
  ///
  /// It is `days_from_civil` of Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms", whose years begin in March.
  public var daysSince1970: Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Makes the date some days after 1970-01-01; nil outside the years 1 to 9999.
  ///
  /// It is `civil_from_days` of the same source.
  public init?(daysSince1970 days: Int) {
    guard (-1_000_000...4_000_000).contains(days) else { return nil }
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    self.init(
      year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
      day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  /// The date some days later; nil outside the years 1 to 9999.
  public func adding(days: Int) -> CalendarDate? {
    let (sum, isTooLarge) = daysSince1970.addingReportingOverflow(days)
    return isTooLarge ? nil : CalendarDate(daysSince1970: sum)
  }

  /// The date some months later: the last day of a month that is too short; nil outside the years 1 to 9999.
  public func adding(months: Int) -> CalendarDate? {
    let (sum, isTooLarge) = (year * 12 + month - 1).addingReportingOverflow(months)
    guard !isTooLarge, sum >= 12 else { return nil }
    let (year, month) = (sum / 12, sum % 12 + 1)
    guard year <= 9999 else { return nil }
    return CalendarDate(
      year: year, month: month, day: min(day, Self.days(inMonth: month, of: year)))
  }

  // MARK: - Weeks

  /// The day of the week: 1 for Monday, 7 for Sunday, as ISO 8601 counts them.
  public var weekday: Int {
    // 1970-01-01 was a Thursday.
    let days = (daysSince1970 + 3) % 7
    return (days < 0 ? days + 7 : days) + 1
  }

  /// The number of the day in its year, from 1.
  public var dayOfYear: Int {
    (1..<month).reduce(day) { $0 + Self.days(inMonth: $1, of: year) }
  }

  /// The week with its year, as ISO 8601 counts them: the first week has the year's first Thursday.
  public var week: (year: Int, week: Int) {
    func weeks(in year: Int) -> Int {
      // A year has 53 weeks if it begins or ends on a Thursday.
      let last = CalendarDate(year: max(year, 1), month: 12, day: 31)?.weekday
      let first = CalendarDate(year: max(year, 1), month: 1, day: 1)?.weekday
      return first == 4 || last == 4 ? 53 : 52
    }
    let week = (dayOfYear - weekday + 10) / 7
    if week < 1 { return (year - 1, weeks(in: year - 1)) }
    return week > weeks(in: year) ? (year + 1, 1) : (year, week)
  }
}

extension CalendarDate: Comparable, CustomStringConvertible {
  /// Whether a date comes before another one.
  public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  /// The date as ISO 8601 writes it, such as "2026-11-26"; texts of dates have the order of the dates.
  public var description: String {
    "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))"
  }
}

/// A moment to the millisecond, without a time zone, from the year 1 to 9999.
public struct TimeStamp: Hashable, Sendable {
  /// The day in UTC.
  public let date: CalendarDate
  /// The milliseconds since the beginning of the day.
  public let millisecondOfDay: Int

  private static let millisecondsPerDay = 86_400_000

  /// The beginning of 1970.
  public static let start = TimeStamp(date: .start, millisecondOfDay: 0)

  /// Makes a moment of a day; its milliseconds are fewer than those of a day.
  package init(date: CalendarDate, millisecondOfDay: Int) {
    (self.date, self.millisecondOfDay) = (date, millisecondOfDay)
  }

  /// Makes the moment some milliseconds after the beginning of 1970; nil outside the years 1 to 9999.
  public init?(millisecondsSince1970 milliseconds: Int) {
    let (days, rest) = milliseconds.quotientAndRemainder(dividingBy: Self.millisecondsPerDay)
    guard let date = CalendarDate(daysSince1970: rest < 0 ? days - 1 : days) else { return nil }
    self.date = date
    millisecondOfDay = rest < 0 ? rest + Self.millisecondsPerDay : rest
  }

  /// The number of milliseconds since the beginning of 1970.
  public var millisecondsSince1970: Int {
    date.daysSince1970 * Self.millisecondsPerDay + millisecondOfDay
  }

  /// The hour, the minute, the second and the millisecond in UTC.
  public var clock: (hour: Int, minute: Int, second: Int, millisecond: Int) {
    let seconds = millisecondOfDay / 1000
    return (seconds / 3600, seconds / 60 % 60, seconds % 60, millisecondOfDay % 1000)
  }

  /// Reads a text of ISO 8601 with a time zone, such as "2026-11-26T10:15:00.250Z" or "2026-11-26T11:15+01:00"; nil for
  /// any other.
  public init?(_ text: some StringProtocol) {
    guard let date = CalendarDate(text.prefix(10)) else { return nil }
    var rest = Array(text.utf8.dropFirst(10))[...]
    func scan(_ separators: String) -> UInt8? {
      guard let byte = rest.first, separators.utf8.contains(byte) else { return nil }
      return rest.removeFirst()
    }
    func scanNumber(below limit: Int) -> Int? {
      guard rest.count >= 2, let number = CalendarDate.number(rest.prefix(2)), number < limit
      else { return nil }
      rest.removeFirst(2)
      return number
    }
    guard scan("T ") != nil, let hour = scanNumber(below: 24), scan(":") != nil,
      let minute = scanNumber(below: 60)
    else { return nil }
    var milliseconds = (hour * 60 + minute) * 60_000
    if scan(":") != nil {
      guard let second = scanNumber(below: 60) else { return nil }
      milliseconds += second * 1000
      if scan(".") != nil {
        let digits = rest.prefix(while: \.isASCIIDigit)
        guard !digits.isEmpty, let number = CalendarDate.number(digits.prefix(3)) else {
          return nil
        }
        milliseconds += [100, 10, 1][min(digits.count, 3) - 1] * number
        rest.removeFirst(digits.count)
      }
    }
    if let sign = scan("+-") {
      guard let hours = scanNumber(below: 24), scan(":") != nil,
        let minutes = scanNumber(below: 60)
      else { return nil }
      let offset = (hours * 60 + minutes) * 60_000
      milliseconds += sign == UInt8(ascii: "+") ? -offset : offset
    } else if scan("Z") == nil {
      return nil
    }
    guard rest.isEmpty else { return nil }
    self.init(
      millisecondsSince1970: date.daysSince1970 * Self.millisecondsPerDay + milliseconds)
  }
}

extension TimeStamp: Comparable, CustomStringConvertible {
  /// Whether a moment comes before another one.
  public static func < (left: TimeStamp, right: TimeStamp) -> Bool {
    (left.date, left.millisecondOfDay) < (right.date, right.millisecondOfDay)
  }

  /// The moment as ISO 8601 writes it, such as "2026-11-26T10:15:00.250Z"; such texts have the order of the moments.
  public var description: String {
    let clock = clock
    return "\(date)T\(clock.hour.padded(to: 2)):\(clock.minute.padded(to: 2)):"
      + "\(clock.second.padded(to: 2)).\(clock.millisecond.padded(to: 3))Z"
  }
}

extension Int {
  /// The number with zeros before it.
  package func padded(to count: Int) -> String {
    let digits = "\(self)"
    return String(repeating: "0", count: Swift.max(0, count - digits.count)) + digits
  }
}

// MARK: - Fields

/// A value that is shown and stored as its description.
public protocol DescribedFieldValue: FieldValue, Codable, LosslessStringConvertible {}

extension DescribedFieldValue {
  /// The description.
  public var stateValue: StateValue { .text(description) }

  /// The value with the description.
  public init(stateValue: StateValue) throws {
    guard case .text(let text) = stateValue, let value = Self(text) else {
      throw stateValue.mismatch(Self.valueType)
    }
    self = value
  }

  /// Encodes the description.
  public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }

  /// Decodes the description.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let value = Self(text) else {
      let kind = Self.valueType.phrase.dropFirst("a ".count)
      throw DocumentError(decoder.codingPath, "\(text.shortenedForMessage.quoted) is no \(kind)")
    }
    self = value
  }
}

extension CalendarDate: DescribedFieldValue {
  /// A date.
  public static var valueType: ValueType { .date }
}

extension TimeStamp: DescribedFieldValue {
  /// A moment.
  public static var valueType: ValueType { .time }
}

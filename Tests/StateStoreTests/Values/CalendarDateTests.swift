import Foundation
import StateStore
import Testing

@Suite("Days of the calendar")
struct CalendarDateTests {
  @Test(
    "are read from texts of ISO 8601",
    arguments: ["2026-11-26", "2024-02-29", "0001-01-01", "9999-12-31"])
  func texts(_ text: String) throws {
    let date = try #require(CalendarDate(text))
    #expect(date.description == text)
    #expect(CalendarDate(daysSince1970: date.daysSince1970) == date)
  }

  @Test(
    "aren't read from other texts",
    arguments: [
      "2026-02-30", "2023-02-29", "1900-02-29", "2026-13-01", "2026-00-01", "2026-01-00",
      "0000-01-01",
      "2026-1-1", "2026-11-26 ", "+026-11-26", "", "2026/11/26", "２０２６-11-26", "2026-11-26T10:00Z",
    ])
  func otherTexts(_ text: String) { #expect(CalendarDate(text) == nil) }

  /// The days from the year 1 to 9999 with the calendar of C, which is another implementation.
  @Test("are counted as C's calendar counts them")
  func days() throws {
    for days in stride(from: -719_162, through: 2_932_896, by: 97) {
      let date = try #require(CalendarDate(daysSince1970: days))
      var seconds = time_t(days * 86_400)
      var parts = tm()
      gmtime_r(&seconds, &parts)
      #expect(date.year == Int(parts.tm_year) + 1900)
      #expect(date.month == Int(parts.tm_mon) + 1)
      #expect(date.day == Int(parts.tm_mday))
      #expect(date.weekday == (parts.tm_wday == 0 ? 7 : Int(parts.tm_wday)))
      #expect(date.dayOfYear == Int(parts.tm_yday) + 1)
      #expect(date.daysSince1970 == days)
      var text = [UInt8](repeating: 0, count: 32)
      let count = text.withUnsafeMutableBytes { bytes in
        strftime(
          bytes.assumingMemoryBound(to: CChar.self).baseAddress, bytes.count, "%G %V", &parts)
      }
      let week = date.week
      #expect(
        String(decoding: text.prefix(count), as: UTF8.self)
          == "\(week.year) \(week.week < 10 ? "0" : "")\(week.week)")
    }
    #expect(CalendarDate(daysSince1970: -719_163) == nil)
    #expect(CalendarDate(daysSince1970: 2_932_897) == nil)
    #expect(CalendarDate(daysSince1970: .max) == nil)
    #expect(CalendarDate(daysSince1970: .min) == nil)
  }

  @Test(
    "stay in a month that is too short when months are added",
    arguments: [
      ("2026-01-31", 1, "2026-02-28"), ("2024-01-31", 1, "2024-02-29"),
      ("2026-12-15", 1, "2027-01-15"),
      ("2026-01-15", -1, "2025-12-15"), ("2026-01-15", -13, "2024-12-15"),
      ("2026-03-31", 12, "2027-03-31"),
    ])
  func months(_ text: String, _ months: Int, _ expected: String) {
    #expect(CalendarDate(text)?.adding(months: months)?.description == expected)
  }

  @Test("end with the years 1 and 9999")
  func ends() throws {
    let date = try #require(CalendarDate("2026-11-26"))
    for number in [Int.max, .min, 100_000, -100_000] {
      #expect(date.adding(months: number) == nil)
    }
    for number in [Int.max, .min, 3_000_000, -800_000] { #expect(date.adding(days: number) == nil) }
    #expect(CalendarDate("0001-01-31")?.adding(months: -1) == nil)
    #expect(CalendarDate("9999-12-01")?.adding(months: 1) == nil)
  }
}

@Suite("Moments")
struct TimeStampTests {
  @Test(
    "are read from texts with a time zone, and written in UTC",
    arguments: [
      ("2026-11-26T10:15:00Z", "2026-11-26T10:15:00.000Z"),
      ("2026-11-26 10:15Z", "2026-11-26T10:15:00.000Z"),
      ("2026-11-26T00:30:00+01:00", "2026-11-25T23:30:00.000Z"),
      ("2026-11-26T23:30:00-01:30", "2026-11-27T01:00:00.000Z"),
      ("2026-11-26T10:15:00.5Z", "2026-11-26T10:15:00.500Z"),
      ("2026-11-26T10:15:00.1239999999999999999999Z", "2026-11-26T10:15:00.123Z"),
      ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
      ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
    ])
  func texts(_ text: String, _ expected: String) throws {
    let time = try #require(TimeStamp(text))
    #expect(time.description == expected)
    #expect(TimeStamp(millisecondsSince1970: time.millisecondsSince1970) == time)
  }

  @Test(
    "aren't read from other texts",
    arguments: [
      "2026-11-26", "2026-11-26T10:15:00", "2026-11-26T24:00:00Z", "2026-11-26T10:60Z",
      "2026-11-26T10:15:60Z",
      "2026-11-26T10Z", "2026-11-26T10:15:00.Z", "2026-11-26T10:15:00+1", "2026-11-26T10:15:00ZZ",
      "2026-02-30T10:15:00Z", "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:00-01:00", "",
    ])
  func otherTexts(_ text: String) { #expect(TimeStamp(text) == nil) }

  @Test("have the order of their texts")
  func order() throws {
    let times = try [-1, 0, 1, 999, 1_000, 86_400_000, -86_400_001, 1_800_000_000_123].map {
      try #require(TimeStamp(millisecondsSince1970: $0))
    }
    #expect(times.sorted().map(\.description) == times.map(\.description).sorted())
  }
}

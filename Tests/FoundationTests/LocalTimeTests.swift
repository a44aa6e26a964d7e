import Foundation
import PrimereplFoundation
import Testing

@Suite("Times in the local time zone")
struct LocalTimeTests {
  @Test(
    "are those of Foundation's calendar", arguments: [0, 1_795_262_400, -86_400.5, 4_000_000_000])
  func times(seconds: Double) {
    let date = Date(timeIntervalSince1970: seconds)
    let parts = Calendar(identifier: .gregorian).dateComponents(
      [.year, .month, .day, .hour, .minute, .second], from: date)
    let text = date.localTime("%Y %m %d %H %M %S")
    #expect(
      text.split(separator: " ").map { Int($0) } == [
        parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second,
      ])
  }

  @Test("of years that C doesn't have are a question mark", arguments: [1e30, -.infinity, .nan])
  func distant(seconds: Double) {
    #expect(Date(timeIntervalSince1970: seconds).localTime("%Y") == "?")
  }
}

import Foundation

/// The value of a `Retry-After` header.
enum RetryAfter {
  /// Reads a header's value as the time to wait from now.
  ///
  /// - Parameters:
  ///   - value: whole seconds, or an HTTP date (RFC 9110 section 10.2.3).
  ///   - now: the time to count from.
  /// - Returns: the time to wait, zero for a date that has passed, or nil when the value is neither
  ///   form.
  static func duration(_ value: String, now: Date) -> Duration? {
    let text = value.trimmingCharacters(in: .whitespaces)
    if !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) {
      // Digits that overflow ask for longer than anyone waits.
      return .seconds(min(Int64(text) ?? .max, longest))
    }
    guard let date = httpDate(text) else { return nil }
    return .seconds(min(max(0, date.timeIntervalSince(now)), Double(longest)))
  }

  /// A day, in seconds: no caller waits longer, and sums with it can't overflow.
  private static let longest: Int64 = 86_400

  /// Reads a date in the one form that servers may send today (IMF-fixdate, RFC 9110 section 5.6.7).
  private static func httpDate(_ text: String) -> Date? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.date(from: text)
  }
}

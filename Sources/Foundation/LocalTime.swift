extension Date {
  /// The time in the local time zone, as C's `strftime` writes it.
  ///
  /// - Parameter format: A format such as "%H:%M:%S", in which no name of a day or month stands.
  /// - Returns: The text; "?" for a year that C's calendar doesn't have.
  package func localTime(_ format: String) -> String {
    guard var seconds = time_t(exactly: timeIntervalSince1970.rounded(.down)) else { return "?" }
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return "?" }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
      guard let start = text.baseAddress, strftime(start, text.count, format, &parts) > 0 else {
        return "?"
      }
      return String(cString: start)
    }
  }
}

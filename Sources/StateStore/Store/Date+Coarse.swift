import Foundation

extension Date {
  /// The time to some milliseconds, which Linux tells several times as fast as exactly: the history asks for every action.
  static var coarse: Date {
    #if os(Linux)
      var time = timespec()
      guard clock_gettime(CLOCK_REALTIME_COARSE, &time) == 0 else { return Date() }
      return Date(
        timeIntervalSinceReferenceDate: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
          - Date.timeIntervalBetween1970AndReferenceDate)
    #else
      return Date()
    #endif
  }
}

import Lua
import PrimereplFoundation

/// A clock whose time a script can move on: one of a test, not of the real world.
public protocol AdvanceableClock: Clock<Duration> {
  /// The time that has passed since the clock was made.
  var elapsed: Duration { get }

  /// Waits for a time to pass, and for all that falls due until then, in its order.
  ///
  /// - Throws: `CancellationError` when the calling task is cancelled.
  func advance(by duration: Duration) async throws
}

extension LuaModule {
  /// The longest time that a script can move a clock on: more than 30 years.
  private static let longestAdvance = 1e9

  /// The module `clock`: the app's time.
  ///
  /// The time of a clock that can be advanced is the elapsed time; of any other, the time since 1970, by the system's
  /// clock when the module is first used and by the app's clock since then.
  static func clock(_ environment: ScriptEnvironment) -> LuaModule {
    LuaModule("clock", help: "The time.") { module in
      if let clock = environment.clock as? any AdvanceableClock {
        module.addTime(ofAdvanceable: clock)
      } else {
        module.addTime(of: environment.clock)
      }
      module.function(
        "time", help: "The time as a text in UTC; in scenarios, the clock begins with 1970.",
        example: "print(clock.time())"
      ) { () in environment.now.description }
      module.function(
        "today", help: "The day as a text: here, or in scenarios in UTC.",
        example: "print(clock.today())"
      ) { () in environment.today }
    }
  }

  private func addTime(ofAdvanceable clock: any AdvanceableClock) {
    function(
      "now", help: "The seconds since the start, which pass only when everything waits.",
      example: "print(clock.now())"
    ) { () in clock.elapsed.seconds }
    asyncFunction(
      "advance", "seconds",
      help: "Lets time pass: whatever falls due until then happens first.",
      example: "clock.advance(60)"
    ) { (seconds: Double) throws -> () async throws -> Void in
      guard (0...Self.longestAdvance).contains(seconds) else {
        throw LuaError(
          .numberOutOfRange,
          "clock.advance needs 0 to \(Int(Self.longestAdvance)) seconds, not \(seconds)")
      }
      return { try await clock.advance(by: .seconds(seconds)) }
    }
  }

  private func addTime(of clock: some Clock<Duration>) {
    let (start, date) = (clock.now, Date().timeIntervalSince1970)
    function(
      "now",
      help: "The seconds since 1970 as a float; no change of the system's time sets it back.",
      example: "local start = clock.now(); print(clock.now() - start)"
    ) { () in date + start.duration(to: clock.now).seconds }
  }
}

extension Duration {
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}

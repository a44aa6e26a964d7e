/// Who is asked for the nth prime.
public enum NthPrimeSource: String, CaseIterable, Codable, Sendable {
  /// The prime counting library on this machine.
  case local
  /// Wolfram|Alpha.
  case wolfram
}

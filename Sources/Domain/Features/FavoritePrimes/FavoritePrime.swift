/// A prime that somebody likes; the number is its own id.
public struct FavoritePrime: RawRepresentable, Codable, Equatable, Identifiable, Sendable {
  /// The prime.
  public let rawValue: Int

  /// Makes a favorite of a number that is known to be prime.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// The prime.
  public var id: Int { rawValue }
}

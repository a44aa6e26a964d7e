/// The memory that loading may take: what arrives and is decoded off the caller's actor counts as the caller's.
public struct MemoryAllowance: Sendable {
  private let hasRoomFor: @Sendable (Int) -> Bool

  /// Makes an allowance.
  ///
  /// - Parameter hasRoom: Whether the process may take a number of bytes more; called on any thread.
  public init(hasRoom: @escaping @Sendable (_ byteCount: Int) -> Bool) { hasRoomFor = hasRoom }

  /// Any amount.
  public static let unlimited = MemoryAllowance { _ in true }

  /// Whether there is room for more bytes.
  public func hasRoom(for byteCount: Int) -> Bool { hasRoomFor(byteCount) }
}

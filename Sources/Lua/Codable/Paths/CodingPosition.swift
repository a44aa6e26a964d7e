/// Where a value is in the value being coded.
///
/// Paths are only written out when somebody asks; until then, a position is a link to the one around it.
final class CodingPosition {
  /// How deep values may be nested.
  ///
  /// A level takes up to 2.8 KiB of the Swift stack (measured in a debug build, 1.6 KiB in a release build), and
  /// secondary threads may have just 512 KiB.
  static let maximumDepth = 128

  private let parent: CodingPosition?

  /// `nil` for the outermost value, and for a value that is all there is of the one around it.
  private let key: (any CodingKey)?

  private let depth: Int

  /// The address of the value's object or table; `nil` if it is neither.
  let identity: UnsafeRawPointer?

  /// Makes the position of the outermost value.
  init(identity: UnsafeRawPointer?) {
    parent = nil
    key = nil
    depth = 0
    self.identity = identity
  }

  /// Makes the position of a value in the one at another position.
  init(in parent: CodingPosition, key: (any CodingKey)?, identity: UnsafeRawPointer?) {
    self.parent = parent
    self.key = key
    self.identity = identity
    depth = parent.depth + 1
  }

  var isTooDeep: Bool { depth > Self.maximumDepth }

  var path: [any CodingKey] {
    Array(sequence(first: self, next: \.parent).compactMap(\.key).reversed())
  }

  /// What is wrong with a position that is too deep: a cycle, if the same object or table is there more than once.
  var depthProblem: (path: [any CodingKey], description: String) {
    var first: [UnsafeRawPointer: CodingPosition] = [:]
    for position in sequence(first: self, next: \.parent).reversed() {
      guard let identity = position.identity else { continue }
      if let outer = first[identity], outer.path.count < position.path.count {
        let place = outer.path.isEmpty ? "the outermost value" : outer.path.luaPath
        return (position.path, "a cycle: this is \(place) again")
      }
      if first[identity] == nil { first[identity] = position }
    }
    return (path, "nested more than \(Self.maximumDepth) deep")
  }
}

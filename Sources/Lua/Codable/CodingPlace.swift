/// The place of a value that is being coded: on the Lua stack, and in the value around it.
///
/// Containers hold their place. It is released when the `encode(to:)` or `init(from:)` that got it has returned: from
/// then on the index has another value, which Lua's functions without checks, such as `lua_rawset`, must never see.
class CodingPlace {
  /// The greatest depth of nested values.
  ///
  /// A level takes up to 3.4 KiB of the Swift stack (measured in a debug build, 1.5 KiB in a release build), and
  /// secondary threads may have just 512 KiB.
  static let maximumDepth = 128

  // Unchecked, for speed: nothing that an access to these calls gets back here.
  @exclusivity(unchecked) fileprivate(set) final var index: Int32 = 0
  @exclusivity(unchecked) fileprivate final var parent: CodingPlace?
  @exclusivity(unchecked) fileprivate final var step = CodingStep.whole
  @exclusivity(unchecked) fileprivate(set) final var depth = 0

  /// Whether its index has the value.
  @inline(__always)
  final var isHeld: Bool { index > 0 }

  final var isTooDeep: Bool { depth > Self.maximumDepth }

  final var codingPath: [any CodingKey] {
    sequence(first: self, next: { $0.parent }).compactMap(\.step.key).reversed()
  }

  /// The address of the value's object or table; `nil` if it is neither.
  var identity: UnsafeRawPointer? { nil }

  /// The problem of a place that is too deep: a cycle, if the same object or table occurs more than once.
  final var depthProblem: (path: [any CodingKey], description: String) {
    var first: [UnsafeRawPointer: CodingPlace] = [:]
    for place in sequence(first: self, next: { $0.parent }).reversed() {
      guard let identity = place.identity else { continue }
      if let outer = first[identity], outer.codingPath.count < place.codingPath.count {
        let path = outer.codingPath
        let name = path.isEmpty ? "the outermost value" : path.luaPath
        return (place.codingPath, "a cycle: this is \(name) again")
      }
      if first[identity] == nil { first[identity] = place }
    }
    return (codingPath, "nested more than \(Self.maximumDepth) deep")
  }
}

/// How a value is reached from the one around it.
enum CodingStep {
  /// It is the whole of the one around it, or the outermost value.
  case whole
  /// By its position in a sequence, counted from 0.
  case element(Int)
  case key(any CodingKey)

  var key: (any CodingKey)? {
    switch self {
    case .whole: nil
    case .element(let offset): PathKey.element(offset)
    case .key(let key): key
    }
  }

  /// The path of the value that is reached from the one at a place; `nil` stands for no value around it.
  func path(under parent: CodingPlace?) -> [any CodingKey] {
    let path = parent?.codingPath ?? []
    return if let key { path + [key] } else { path }
  }
}

/// The room that the stack has for the values that are being coded.
struct StackRoom {
  /// The number of values for which there is always room outside of the coding of one.
  private static var headroom: Int32 { 16 }

  private let stack: LuaStack

  /// The number of values for which the stack has room.
  private var capacity: Int32 = 0

  init(_ stack: LuaStack) { self.stack = stack }

  @inline(__always)
  mutating func reserve() throws(LuaError) {
    let needed = stack.count + Self.headroom
    guard needed > capacity else { return }
    try stack.reserve(2 * Self.headroom)
    capacity = needed + Self.headroom
  }
}

/// The places that are held, by their indexes, and released ones to be used again.
///
/// Most values are coded one after the other at the same index, so a place is made only for the first of them.
struct CodingPlaces<Place: CodingPlace> {
  private var places: [Place] = []
  private var heldCount = 0

  /// The number of places up to the last one that has a parent.
  private var linkedCount = 0

  /// Holds an index that is above all held ones.
  @inline(__always)
  mutating func hold(
    _ index: Int32, under parent: CodingPlace?, _ step: CodingStep, make: () -> Place
  ) -> Place {
    if heldCount == places.count { places.append(make()) }
    let place = places[heldCount]
    heldCount += 1
    linkedCount = max(linkedCount, heldCount)
    place.index = index
    place.step = step
    if place.parent !== parent { place.parent = parent }
    place.depth = if let parent { parent.depth + 1 } else { 0 }
    return place
  }

  /// Releases all places above an index.
  @inline(__always)
  mutating func release(above index: Int32, make: () -> Place) {
    while heldCount > 0, places[heldCount - 1].index > index {
      heldCount -= 1
      while linkedCount > heldCount + 1 {
        linkedCount -= 1
        places[linkedCount].parent = nil
      }
      places[heldCount].index = 0
      // A container that outlives its value keeps the place, and with it the path.
      if !isKnownUniquelyReferenced(&places[heldCount]) { places[heldCount] = make() }
    }
  }

  /// Forgets all places, since they refer to their coder.
  mutating func removeAll() { self = CodingPlaces() }
}

/// The position of a value in the value being coded.
///
/// Paths are written out only on demand; until then, a position is a link to the one around it.
final class CodingPosition {
  /// The greatest depth of nested values.
  ///
  /// A level takes up to 2.8 KiB of the Swift stack (measured in a debug build, 1.6 KiB in a release build), and
  /// secondary threads may have just 512 KiB.
  static let maximumDepth = 128

  private let parent: CodingPosition?

  /// `nil` for the outermost value, and for a value that is the whole of the one around it.
  private let key: (any CodingKey)?

  private let depth: Int

  /// The address of the value's object or table; `nil` if it is neither.
  let identity: UnsafeRawPointer?

  init(identity: UnsafeRawPointer?) {
    parent = nil
    key = nil
    depth = 0
    self.identity = identity
  }

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

  /// The problem of a position that is too deep: a cycle, if the same object or table occurs more than once.
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

/// The coding key of an entry for which Swift's own types have no key.
enum PathKey: CodingKey {
  /// An element of a sequence, counted from 0 as in Swift's own coding paths; messages count from 1.
  case element(Int)
  /// An entry of a dictionary that is keyed by integers.
  case integer(Int)
  /// An entry of a dictionary that is keyed by strings, or a class's superclass.
  case name(String)

  static let `super` = PathKey.name("super")

  init(stringValue: String) { self = .name(stringValue) }

  init(intValue: Int) { self = .integer(intValue) }

  var intValue: Int? {
    switch self {
    case .element(let value), .integer(let value): value
    case .name: nil
    }
  }

  var stringValue: String {
    switch self {
    case .element(let offset): "Index \(offset)"
    case .integer(let value): "\(value)"
    case .name(let name): name
    }
  }
}

/// A type of dictionary keys that are the same in Lua: strings and integers.
///
/// Swift's own coding of dictionaries can't tell the key 1 from the key "1", and turns dictionaries of all integer
/// keys but `Int` into lists of keys and values.
protocol DictionaryKey: Hashable, LuaReadable, LuaPushable {
  var pathKey: PathKey { get }
}

extension DictionaryKey where Self: FixedWidthInteger {
  var pathKey: PathKey { .integer(Int(clamping: self)) }
}

extension String: DictionaryKey {
  var pathKey: PathKey { .name(self) }
}

extension Int: DictionaryKey {}
extension Int8: DictionaryKey {}
extension Int16: DictionaryKey {}
extension Int32: DictionaryKey {}
extension Int64: DictionaryKey {}
extension UInt: DictionaryKey {}
extension UInt8: DictionaryKey {}
extension UInt16: DictionaryKey {}
extension UInt32: DictionaryKey {}
extension UInt64: DictionaryKey {}

extension [any CodingKey] {
  /// The path as Lua code writes it: `items[3].text`; the middle of a very long one is left out.
  var luaPath: String {
    guard count > 16 else { return reduce(into: "") { $0.append(luaKey: $1) } }
    var text = prefix(8).reduce(into: "") { $0.append(luaKey: $1) }
    text += "..."
    return suffix(4).reduce(into: text) { $0.append(luaKey: $1) }
  }
}

extension String {
  fileprivate mutating func append(luaKey key: any CodingKey) {
    switch key as? PathKey {
    case .element(let offset): append("[\(offset + 1)]")
    case .integer(let value): append("[\(value)]")
    case .name, nil:
      let name = key.stringValue.shortened
      if name.isLuaName {
        append(isEmpty || hasSuffix("...") ? name : ".\(name)")
      } else {
        append("[\(name.debugDescription)]")
      }
    }
  }

  /// Whether it can stand after a dot: letters, digits and underscores, and no digit first.
  private var isLuaName: Bool {
    guard let first = utf8.first, first.isLuaLetter else { return false }
    return utf8.allSatisfy { $0.isLuaLetter || (0x30...0x39).contains($0) }
  }
}

extension UInt8 {
  fileprivate var isLuaLetter: Bool {
    (0x41...0x5A).contains(self & 0xDF) || self == UInt8(ascii: "_")
  }
}

extension LuaError {
  /// Makes the coders' error for an error inside them: it names the path, and the error is its `underlying`.
  ///
  /// An error raised by Lua code in a metamethod stays as it is.
  init(coding error: any Error) {
    switch error {
    case let error as LuaError:
      self = error
    case let error as DecodingError:
      self.init(error)
    case EncodingError.invalidValue(_, let context):
      let code = (context.underlyingError as? LuaError)?.code ?? .codingFailed
      self.init(code, Self.message(context.debugDescription, at: context.codingPath))
      underlying = error
    default:
      self.init(.codingFailed, String(describing: error))
      underlying = error
    }
  }

  private init(_ error: DecodingError) {
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      self.init(.wrongType, Self.message(context.debugDescription, at: context.codingPath))
    case .keyNotFound(let key, let context):
      self.init(.wrongType, Self.message("missing", at: context.codingPath + [key]))
    case .dataCorrupted(let context):
      self.init(.codingFailed, Self.message(context.debugDescription, at: context.codingPath))
    @unknown default:
      self.init(.codingFailed, String(describing: error))
    }
    underlying = error
  }

  private static func message(_ text: String, at path: [any CodingKey]) -> String {
    path.isEmpty ? text : "\(path.luaPath): \(text)"
  }
}

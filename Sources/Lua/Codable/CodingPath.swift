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

/// A key of a dictionary whose coding key is known.
///
/// Swift's own coding of dictionaries can't tell the key 1 from the key "1", and turns dictionaries of all integer
/// keys but `Int` into lists of keys and values.
protocol CodedDictionaryKey: LuaKey {
  var pathKey: PathKey { get }
}

extension CodedDictionaryKey where Self: FixedWidthInteger {
  var pathKey: PathKey { .integer(Int(clamping: self)) }
}

extension String: CodedDictionaryKey {
  var pathKey: PathKey { .name(self) }
}

extension Int: CodedDictionaryKey {}
extension Int8: CodedDictionaryKey {}
extension Int16: CodedDictionaryKey {}
extension Int32: CodedDictionaryKey {}
extension Int64: CodedDictionaryKey {}
extension UInt: CodedDictionaryKey {}
extension UInt8: CodedDictionaryKey {}
extension UInt16: CodedDictionaryKey {}
extension UInt32: CodedDictionaryKey {}
extension UInt64: CodedDictionaryKey {}

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

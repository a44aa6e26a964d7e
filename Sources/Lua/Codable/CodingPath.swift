internal import PrimereplFoundation

/// The place of a value that is being coded: in the value around it.
final class CodingPlace {
  /// Secondary threads may have a stack of just 512 KiB, which suffices for it in a debug build.
  private static let maximumDepth = 128

  private let parent: CodingPlace?
  private let key: (any CodingKey)?
  private let depth: Int

  /// The key is nil for the outermost value, and for one that is coded in place of another.
  init(_ key: (any CodingKey)?, in parent: CodingPlace?) {
    (self.key, self.parent) = (key, parent)
    depth = if let parent { parent.depth + 1 } else { 0 }
  }

  var path: [any CodingKey] {
    sequence(first: self, next: \.parent).compactMap(\.key).reversed()
  }

  /// The problem of a place that is too deep, as in every cycle; nil for any other.
  var depthProblem: String? {
    depth > Self.maximumDepth ? "nested more than \(Self.maximumDepth) deep" : nil
  }
}

/// An outermost value that is being encoded or decoded.
final class CodingSession {
  let core: StateCore

  /// The first error of a function that can't throw, which is thrown at the end.
  private(set) var failure: (any Error)?

  init(in core: StateCore) { self.core = core }

  func fail(with error: any Error) { failure = failure ?? error }
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

  init(_ key: some LuaKey) {
    self = (key as? any BinaryInteger).map { .integer(Int(clamping: $0)) } ?? .name("\(key)")
  }

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
    utf8.first?.isASCIIDigit == false
      && utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
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
      self.init(.codingFailed, error.ownText)
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
      self.init(.codingFailed, error.ownText)
    }
    underlying = error
  }

  private static func message(_ text: String, at path: [any CodingKey]) -> String {
    path.isEmpty ? text : "\(path.luaPath): \(text)"
  }
}

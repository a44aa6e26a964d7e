import Lua
import StateStore

/// Names with values, for the query of an address or the body of a form.
///
/// They are in the order of the names, so that the same table makes the same request. A list has a pair for each element.
struct HTTPParameters {
  private var pairs: [(name: [UInt8], value: [UInt8])] = []

  /// Reads a table; the option is named in messages.
  init(_ table: LuaTable, of option: String) throws {
    guard let entries = try table.pairs()?.entries else { return }
    let named = try entries.map { key, value in
      guard case .string(let name) = key else {
        throw Self.problem(option, "has a key that isn't a name")
      }
      return (name: name.bytes, value: value)
    }
    for (name, value) in named.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
      let place = "\(option).\(LuaString(bytes: name).shown)"
      guard case .table(let list) = value else {
        pairs.append((name, try Self.bytes(of: value, place)))
        continue
      }
      for (index, element) in try Self.elements(of: list, place).enumerated() {
        pairs.append((name, try Self.bytes(of: element, "\(place)[\(index + 1)]")))
      }
    }
  }

  private static func elements(of list: LuaTable, _ place: String) throws -> [LuaValue] {
    let entries = try list.pairs()?.entries ?? []
    let elements = try entries.map { key, value in
      guard case .integer(let position) = key else {
        throw problem(place, "is a table with names: give a list of values")
      }
      return (position, value)
    }.sorted { $0.0 < $1.0 }
    guard zip(1..., elements).allSatisfy({ $0 == $1.0 }) else {
      throw problem(place, "has positions with gaps between them")
    }
    return elements.map(\.1)
  }

  private static func bytes(of value: LuaValue, _ place: String) throws -> [UInt8] {
    switch value {
    case .string(let string): return string.bytes
    case .boolean(let value): return Array("\(value)".utf8)
    case .integer(let value): return Array("\(value)".utf8)
    case .number(let value) where value.isFinite: return Array("\(value)".utf8)
    case .number: throw problem(place, "is not a finite number")
    case .nil, .table, .userdata, .function, .coroutine:
      throw problem(place, "is neither a string, a number, a boolean, nor a list of them")
    }
  }

  private static func problem(_ place: String, _ problem: String) -> LuaError {
    LuaError(.badArgument, "\(place) \(problem)")
  }

  // MARK: - Encoding

  /// An address with the parameters at the end of its query, before its fragment.
  func address(_ address: String) -> String {
    guard !pairs.isEmpty else { return address }
    let fragment = address.utf8.firstIndex(of: UInt8(ascii: "#")) ?? address.endIndex
    let start = address[..<fragment]
    let hasQuery = start.utf8.contains(UInt8(ascii: "?"))
    let isComplete = !start.hasSuffix("?") && !start.hasSuffix("&")
    let separator = hasQuery ? (isComplete ? "&" : "") : "?"
    // In a query, RFC 3986 knows no other form of a space.
    return start + separator + encoded(space: "%20") + address[fragment...]
  }

  /// The body of a form: `application/x-www-form-urlencoded` of the URL standard.
  var form: String { encoded(space: "+") }

  static let formType = "application/x-www-form-urlencoded"

  private func encoded(space: String) -> String {
    pairs.map { name, value in
      // The characters that neither standard escapes.
      [name, value].map { $0.percentEncoded(keeping: "-._", space: space) }.joined(separator: "=")
    }.joined(separator: "&")
  }
}

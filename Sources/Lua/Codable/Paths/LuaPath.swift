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
    switch key {
    case let key as ElementKey: append("[\(key.offset + 1)]")
    case let key as IntegerKey: append("[\(key.value)]")
    default:
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

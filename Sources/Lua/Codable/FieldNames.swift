internal import CLua

/// The names of fields as Lua strings, so that Lua needn't hash the same name for each record.
///
/// Each name is predicted from the one before it: the fields of a type come in the same order for every value.
struct FieldNames {
  /// The number of names that are kept at most.
  private static let maximumCount = 1024

  private struct Name {
    let text: String

    /// The number of the name that came after this one.
    var next: Int
  }

  private let stack: LuaStack

  /// The index of the table of the strings, which is nil until there are any.
  private let table: Int32

  private var names: [Name] = []
  private var numbers: [String: Int] = [:]
  private var last = 0

  /// The number of names to push before any is kept: it pays only for those that come often.
  private var unkeptCount = 32

  /// Keeps the strings at an index, which has nil.
  init(_ stack: LuaStack, table: Int32) {
    self.stack = stack
    self.table = table
  }

  /// Pushes a name.
  ///
  /// Uses up to 2 stack slots and doesn't check for them.
  @inline(__always)
  mutating func push(_ name: String) {
    if last < names.count {
      let next = names[last].next
      if names[next].text.hasBytes(of: name) {
        last = next
        return pushKept(next)
      }
    }
    pushUnpredicted(name)
  }

  @inline(never)
  private mutating func pushUnpredicted(_ name: String) {
    guard unkeptCount == 0, let number = number(of: name) else {
      unkeptCount = max(0, unkeptCount - 1)
      return stack.push(name)
    }
    names[last].next = number
    last = number
    pushKept(number)
  }

  @inline(__always)
  private func pushKept(_ number: Int) {
    guard lua_rawgeti(stack.pointer, table, lua_Integer(number) + 1) != LUA_TSTRING else { return }
    // Only the debug library finds the table, and changes what is in it.
    stack.pop(1)
    stack.push(names[number].text)
  }

  /// The number of a name, which is kept if there is room; `nil` for one that isn't kept.
  private mutating func number(of name: String) -> Int? {
    if let number = numbers[name] { return names[number].text.hasBytes(of: name) ? number : nil }
    // Of other names, two that Swift takes for equal may have the same number of bytes.
    guard names.count < Self.maximumCount, name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    if names.isEmpty {
      lua_createtable(stack.pointer, 0, 0)
      lua_copy(stack.pointer, -1, table)
      stack.pop(1)
    }
    let number = names.count
    numbers[name] = number
    names.append(Name(text: name, next: 0))
    stack.push(name)
    lua_rawseti(stack.pointer, table, lua_Integer(number) + 1)
    return number
  }
}

extension String {
  /// Whether this text of ASCII letters has the same bytes as another, which Swift may take for equal without that.
  @inline(__always)
  fileprivate func hasBytes(of other: String) -> Bool {
    self == other && utf8.count == other.utf8.count
  }
}

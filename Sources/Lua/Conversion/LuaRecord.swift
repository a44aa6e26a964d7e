/// A table with named fields, in order, for Lua; it may have a sequence of elements beside them.
public struct LuaRecord: LuaPushable, ExpressibleByDictionaryLiteral {
  private let fields: [(name: String, value: any LuaPushable)]
  private let elements: [any LuaPushable]

  /// Makes a record of its fields; a later field replaces an earlier one of the same name.
  ///
  /// - Parameters:
  ///   - fields: the fields.
  ///   - elements: what stands at 1, 2 and so on.
  public init(
    _ fields: [(name: String, value: any LuaPushable)], elements: [any LuaPushable] = []
  ) {
    self.fields = fields
    self.elements = elements
  }

  /// Makes a record of a literal's fields.
  public init(dictionaryLiteral elements: (String, any LuaPushable)...) {
    self.init(elements.map { (name: $0.0, value: $0.1) })
  }

  /// Makes a record of fields in their order.
  public init(_ fields: KeyValuePairs<String, any LuaPushable>) {
    self.init(fields.map { (name: $0.key, value: $0.value) })
  }

  /// "table".
  public static var luaTypeName: String { "table" }

  /// Pushes a new table with the fields and elements.
  public func push(to stack: LuaStack) throws(LuaError) {
    try stack.pushTable(elementCount: elements.count, fieldCount: fields.count) {
      table throws(LuaError) in
      for element in elements { try table.append(element) }
      for field in fields { try table.set(field.name, to: field.value) }
    }
  }
}

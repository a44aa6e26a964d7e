internal import CLua

/// Reads one outermost value, with all that is in it, from Lua values on a stack.
///
/// Each value is pushed, decoded where it is, and popped. Containers look for theirs only while their place holds it
/// (see ``CodingPlace``). Outside of a read there is always room for some more values (``StackRoom``).
final class TableReader {
  let stack: LuaStack
  let userInfo: [CodingUserInfoKey: Any]

  // Unchecked, for speed: nothing that an access to these calls gets back here.
  @exclusivity(unchecked) private var places = CodingPlaces<DecodingPlace>()
  @exclusivity(unchecked) private var names: FieldNames
  @exclusivity(unchecked) private var forms = CodedForms { $0 as? any DecodableCollection.Type }

  @exclusivity(unchecked) private var room: StackRoom

  /// The first error of a function that can't throw.
  private var failure: (any Error)?

  typealias Form = CodedForm<any DecodableCollection.Type>

  init(_ stack: LuaStack, userInfo: [CodingUserInfoKey: Any]) {
    self.stack = stack
    self.userInfo = userInfo
    names = FieldNames(stack, table: stack.count + 1)
    room = StackRoom(stack)
  }

  /// Reads the outermost value; nothing can be read after that.
  func readRoot<Value: Decodable>(_ type: Value.Type, at index: Int32) throws -> Value {
    let bottom = stack.count
    // The index may lie above the last value; pushing would then change what is there.
    let index = index > bottom ? 0 : lua_absindex(stack.pointer, index)
    try room.reserve()
    defer {
      lua_settop(stack.pointer, bottom)
      places.removeAll()
    }
    // The place of the field names.
    stack.pushNil()
    if index == 0 { stack.pushNil() } else { lua_pushvalue(stack.pointer, index) }
    let value = try readTop(type, under: nil, .whole)
    if let failure { throw failure }
    return value
  }

  /// Keeps an error until the end, where it is thrown.
  func fail(_ error: any Error) { failure = failure ?? error }

  @inline(__always)
  func form<Value>(of type: Value.Type) -> Form { forms.form(of: type) }

  /// Reads the value on top, and pops it.
  @inline(__always)
  func readTop<Value: Decodable>(
    _ type: Value.Type, under parent: DecodingPlace?, _ step: @autoclosure () -> CodingStep
  ) throws -> Value {
    try readTop(type, form(of: type), under: parent, step())
  }

  /// Reads the value on top, and pops it.
  @inline(__always)
  func readTop<Value: Decodable>(
    _ type: Value.Type, _ form: Form, under parent: DecodingPlace?,
    _ step: @autoclosure () -> CodingStep
  ) throws -> Value {
    switch form {
    case .collection, .object, .other: return try readNested(type, form, under: parent, step())
    case .string, .integer, .double, .boolean, .scalar:
      defer { stack.pop(1) }
      do throws(LuaTypeMismatch) {
        return try read(type, form, at: -1)
      } catch {
        throw mismatch(error.description, path: step().path(under: parent))
      }
    }
  }

  /// Reads one boolean, number or string.
  @inline(__always)
  private func read<Value>(_ type: Value.Type, _ form: Form, at index: Int32)
    throws(LuaTypeMismatch) -> Value
  {
    // The form says which type `Value` is, so the casts change nothing.
    switch form {
    case .string: unsafeBitCast(try String.read(from: stack, at: index), to: type)
    case .integer: unsafeBitCast(try Int.read(from: stack, at: index), to: type)
    case .double: unsafeBitCast(try Double.read(from: stack, at: index), to: type)
    case .boolean: unsafeBitCast(try Bool.read(from: stack, at: index), to: type)
    case .scalar(let scalar): try scalar.read(as: type, from: stack, at: index)
    case .collection, .object, .other:
      throw LuaTypeMismatch(expected: "boolean, number or string", at: index, of: stack)
    }
  }

  /// Reads the value of a place as another type.
  func readSingle<Value: Decodable>(_ type: Value.Type, _ place: DecodingPlace) throws -> Value {
    try check(place)
    lua_pushvalue(stack.pointer, place.index)
    return try readTop(type, under: place, .whole)
  }

  /// Reads the value on top, which is made of others, and pops it.
  private func readNested<Value: Decodable>(
    _ type: Value.Type, _ form: Form, under parent: DecodingPlace?, _ step: CodingStep
  ) throws -> Value {
    let bottom = stack.count - 1
    defer {
      lua_settop(stack.pointer, bottom)
      places.release(above: bottom) { DecodingPlace(self) }
    }
    return try readHeld(type, form, under: parent, step)
  }

  /// Holds the place of the value on top, which is made of others, and reads it.
  private func readHeld<Value: Decodable>(
    _ type: Value.Type, _ form: Form, under parent: DecodingPlace?, _ step: CodingStep
  ) throws -> Value {
    let place = try holdTop(under: parent, step)
    if case .collection(let collection) = form {
      return try collection.decode(as: type, from: place)
    }
    do {
      return try type.init(from: place)
    } catch {
      throw explain(error, type, at: place)
    }
  }

  /// Holds the value on top until the value around it is done, for a nested container or a superclass.
  func holdDecoder(under parent: DecodingPlace, _ step: CodingStep) throws -> DecodingPlace {
    let top = stack.count
    do {
      return try holdTop(under: parent, step)
    } catch {
      places.release(above: top - 1) { DecodingPlace(self) }
      stack.pop(1)
      throw error
    }
  }

  @inline(__always)
  private func holdTop(under parent: DecodingPlace?, _ step: CodingStep) throws -> DecodingPlace {
    try room.reserve()
    let place = places.hold(stack.count, under: parent, step) { DecodingPlace(self) }
    if place.isTooDeep {
      let problem = place.depthProblem
      throw DecodingError.dataCorrupted(
        .init(codingPath: problem.path, debugDescription: problem.description))
    }
    return place
  }

  /// Refuses a place whose value is no longer on the stack.
  @inline(__always)
  func check(_ place: DecodingPlace) throws {
    if !place.isHeld { throw stalePlace(place) }
  }

  private func stalePlace(_ place: DecodingPlace) -> DecodingError {
    .dataCorrupted(
      .init(
        codingPath: place.codingPath,
        debugDescription: "used after the value's init(from:) had returned"))
  }

  func isNil(_ place: DecodingPlace) -> Bool {
    !place.isHeld || stack.isNilOrNull(at: place.index)
  }

  // MARK: - Entries

  /// How to read the entries of a place's value.
  ///
  /// - Throws: A mismatch if it has none.
  @inline(__always)
  func openTable(_ place: DecodingPlace) throws -> TableAccess {
    try check(place)
    // Null is a userdata too, but nothing is in it.
    guard let access = stack.tableAccess(at: place.index),
      access == .raw || !stack.isNilOrNull(at: place.index)
    else {
      throw mismatch(
        "table expected, got \(stack.typeName(at: place.index))", path: place.codingPath)
    }
    return access
  }

  /// The number of elements of a place's value.
  ///
  /// - Throws: A mismatch if it isn't a sequence: keys from 1 to n, no holes, no other keys.
  func openSequence(_ place: DecodingPlace, _ access: TableAccess) throws -> Int {
    switch access {
    case .raw:
      do {
        return try stack.sequenceLength(of: place.index)
      } catch {
        let advice = if case .hole = error { "; null keeps the place of a nil" } else { "" }
        throw mismatch("sequence expected, got \(error.got)\(advice)", path: place.codingPath)
      }
    case .metamethods:
      if stack.type(at: place.index) == .userdata, !stack.hasMetafield("__len", at: place.index) {
        throw mismatch(
          "sequence expected, got \(stack.typeName(at: place.index))", path: place.codingPath)
      }
      return max(0, try stack.protectedLength(at: place.index))
    }
  }

  /// The keys of a table, read at once: between two steps of the traversal nothing may run that could change it.
  func keys<Key: CodedDictionaryKey>(
    _ type: Key.Type, of place: DecodingPlace, _ access: TableAccess
  ) throws -> [Key] {
    var keys: [Key] = []
    try stack.forEachKey(of: place.index, access) { index in
      keys.append(try key(type, at: index, of: place))
    }
    return keys
  }

  /// The key at an index.
  func key<Key: CodedDictionaryKey>(_ type: Key.Type, at index: Int32, of place: DecodingPlace)
    throws -> Key
  {
    do throws(LuaTypeMismatch) {
      return try Key.read(from: stack, at: index)
    } catch {
      throw mismatch(
        "\(error.expected) as key expected, got the key \(stack.keyText(at: index))",
        path: place.codingPath)
    }
  }

  /// The keys of a table that are strings or integers, as coding keys of a type that knows them.
  func codingKeys<Key: CodingKey>(
    _ type: Key.Type, of place: DecodingPlace, _ access: TableAccess
  ) throws -> [Key] {
    var keys: [Key] = []
    try stack.forEachKey(of: place.index, access) { index in
      if lua_isinteger(stack.pointer, index) != 0 {
        let integer = Int(lua_tointegerx(stack.pointer, index, nil))
        if let key = Key(intValue: integer) { keys.append(key) }
      } else if let bytes = stack.bytes(at: index),
        let name = String(validating: bytes, as: UTF8.self), let key = Key(stringValue: name)
      {
        keys.append(key)
      }
    }
    return keys
  }

  func entry<Value: Decodable>(
    _ key: some CodedDictionaryKey, _ form: Form, of place: DecodingPlace, _ access: TableAccess
  ) throws -> Value {
    try key.push(to: stack)
    try get(of: place, access)
    return try readTop(Value.self, form, under: place, .key(key.pathKey))
  }

  /// Pushes the value of a field, nil if it is absent; returns whether it is present and not nil.
  @inline(__always)
  func pushField(_ key: some CodingKey, of place: DecodingPlace, _ access: TableAccess) throws
    -> Bool
  {
    try check(place)
    names.push(key.stringValue)
    if access == .raw, lua_rawget(stack.pointer, place.index) != LUA_TNIL { return true }
    return try pushOtherField(key, of: place, access)
  }

  /// Pushes the value of a field whose name is on top, unless a table without metamethods had no such name.
  private func pushOtherField(_ key: some CodingKey, of place: DecodingPlace, _ access: TableAccess)
    throws -> Bool
  {
    if access == .metamethods, try getIfKnown(of: place) { return true }
    // A key that isn't found by its name may have come from `allKeys` as an integer.
    guard let integer = key.intValue else { return false }
    stack.pop(1)
    stack.push(Int64(integer))
    switch access {
    case .raw: return lua_rawget(stack.pointer, place.index) != LUA_TNIL
    case .metamethods: return try getIfKnown(of: place)
    }
  }

  /// Pushes an element, counted from 0.
  ///
  /// - Throws: A mismatch if there is none: a table has no holes here, but a metamethod may claim any length and then
  ///   return nothing.
  @inline(__always)
  func pushElement(_ offset: Int, of place: DecodingPlace, _ access: TableAccess) throws {
    switch access {
    case .raw: lua_rawgeti(stack.pointer, place.index, lua_Integer(offset) + 1)
    case .metamethods:
      stack.push(Int64(offset) + 1)
      try stack.protectedGet(at: place.index)
    }
    if stack.isNoneOrNil(at: -1) {
      stack.pop(1)
      throw missingElement(offset, of: place)
    }
  }

  /// Replaces the key on top with its value.
  private func get(of place: DecodingPlace, _ access: TableAccess) throws(LuaError) {
    switch access {
    case .raw: lua_rawget(stack.pointer, place.index)
    case .metamethods: try stack.protectedGet(at: place.index)
    }
  }

  /// Replaces the key on top with its value, by metamethods; nil if there is none.
  private func getIfKnown(of place: DecodingPlace) throws(LuaError) -> Bool {
    do throws(LuaError) {
      try stack.protectedGet(at: place.index)
    } catch {
      // Modules and objects raise this for a name that they don't have.
      guard error.is(.unknownField) else { throw error }
      stack.pushNil()
    }
    return !stack.isNoneOrNil(at: -1)
  }

  // MARK: - Errors

  func mismatch(_ description: String, path: [any CodingKey]) -> DecodingError {
    .typeMismatch(Any.self, .init(codingPath: path, debugDescription: description))
  }

  func missingElement(_ offset: Int, of place: DecodingPlace) -> DecodingError {
    .valueNotFound(
      Any.self,
      .init(codingPath: place.codingPath + [PathKey.element(offset)], debugDescription: "missing"))
  }
}

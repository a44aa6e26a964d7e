internal import CLua

/// Writes one outermost value, with all that is in it, as Lua values on a stack.
///
/// Containers write to nothing but a table that the writer made and that their place still holds (see
/// ``CodingPlace``), so no metamethod and no error of Lua can occur. Outside of a push there is always room for
/// some more values (``StackRoom``).
final class TableWriter {
  let stack: LuaStack
  let userInfo: [CodingUserInfoKey: Any]

  // Unchecked, for speed: nothing that an access to these calls gets back here.
  @exclusivity(unchecked) private var places = CodingPlaces<EncodingPlace>()
  @exclusivity(unchecked) private var names: FieldNames
  @exclusivity(unchecked) private var forms = CodedForms { $0 as? any EncodableCollection.Type }

  @exclusivity(unchecked) private var room: StackRoom

  /// Super encoders whose values have yet to be put into their tables.
  @exclusivity(unchecked) private var attachments: [Attachment] = []

  /// The first error of a function that can't throw.
  private var failure: (any Error)?

  private struct Attachment {
    let value: EncodingPlace
    let table: EncodingPlace
    let step: CodingStep
  }

  typealias Form = CodedForm<any EncodableCollection.Type>

  init(_ stack: LuaStack, userInfo: [CodingUserInfoKey: Any]) {
    self.stack = stack
    self.userInfo = userInfo
    names = FieldNames(stack, table: stack.count + 1)
    room = StackRoom(stack)
  }

  /// Pushes the outermost value; nothing can be written after that.
  func pushRoot<Value: Encodable>(_ value: Value) throws {
    try room.reserve()
    // The place of the field names.
    stack.pushNil()
    let root = stack.count
    defer { places.removeAll() }
    try push(value, form(of: Value.self), under: nil, .whole)
    if let failure { throw failure }
    lua_copy(stack.pointer, -1, root)
    stack.pop(1)
  }

  @inline(__always)
  func form<Value>(of type: Value.Type) -> Form { forms.form(of: type) }

  /// Pushes a value: exactly one Lua value, or none when it throws.
  @inline(__always)
  private func push<Value: Encodable>(
    _ value: Value, _ form: Form, under parent: EncodingPlace?,
    _ step: @autoclosure () -> CodingStep
  ) throws {
    // The form says which type `Value` is, so the casts change nothing.
    switch form {
    case .string: stack.push(unsafeBitCast(value, to: String.self))
    case .integer: stack.push(Int64(unsafeBitCast(value, to: Int.self)))
    case .double: stack.push(unsafeBitCast(value, to: Double.self))
    case .boolean: stack.push(unsafeBitCast(value, to: Bool.self))
    case .scalar(let type): try push(value, as: type, under: parent, step())
    case .collection, .object, .other: try pushNested(value, form, under: parent, step())
    }
  }

  private func push<Value: Encodable>(
    _ value: Value, as type: any CodedScalar.Type, under parent: EncodingPlace?,
    _ step: CodingStep
  ) throws {
    do throws(LuaError) {
      try type.push(value, to: stack)
    } catch {
      throw encodingError(value, error, path: step.path(under: parent))
    }
  }

  /// Pushes a value that is made of others.
  private func pushNested<Value: Encodable>(
    _ value: Value, _ form: Form, under parent: EncodingPlace?, _ step: CodingStep
  ) throws {
    let bottom = stack.count
    do {
      try fillNext(value, form, under: parent, step)
    } catch {
      lua_settop(stack.pointer, bottom)
      release(above: bottom)
      throw error
    }
    lua_settop(stack.pointer, bottom + 1)
    release(above: bottom)
  }

  /// Holds the next place and puts a value there.
  private func fillNext<Value: Encodable>(
    _ value: Value, _ form: Form, under parent: EncodingPlace?, _ step: CodingStep
  ) throws {
    let place = try holdNil(under: parent, step)
    try fill(place, with: value, form)
    if !attachments.isEmpty { try attachSupers(above: place.index - 1) }
  }

  /// Puts a value that is made of others into a place that has none.
  private func fill<Value: Encodable>(_ place: EncodingPlace, with value: Value, _ form: Form)
    throws
  {
    if case .object = form {
      place.object = UnsafeRawPointer(Unmanaged.passUnretained(value as AnyObject).toOpaque())
    }
    if place.isTooDeep {
      let problem = place.depthProblem
      throw EncodingError.invalidValue(
        value, .init(codingPath: problem.path, debugDescription: problem.description))
    }
    if case .collection(let type) = form {
      try type.encode(value, to: place)
    } else {
      try value.encode(to: place)
    }
  }

  /// Puts a value, or nothing, into a place that has none yet.
  func fillSingle<Value: Encodable>(_ place: EncodingPlace, with value: Value) throws {
    try check(place, for: value)
    guard stack.isNoneOrNil(at: place.index) else {
      throw misuse(value, "a value was already encoded here", at: place)
    }
    try push(value, form(of: Value.self), under: place, .whole)
    replace(place)
  }

  @inline(__always)
  func setField<Value: Encodable>(
    _ key: some CodingKey, to value: Value, of table: EncodingPlace
  ) throws {
    try check(table, for: value)
    names.push(key.stringValue)
    do {
      try push(value, form(of: Value.self), under: table, .key(key))
    } catch {
      stack.pop(1)
      throw error
    }
    table.fieldCount += 1
    lua_rawset(stack.pointer, table.index)
  }

  /// Sets a field to what a function pushes.
  @inline(__always)
  func setField<Value: Encodable>(
    _ key: some CodingKey, to value: Value, of table: EncodingPlace, _ push: (LuaStack) -> Void
  ) throws {
    try check(table, for: value)
    names.push(key.stringValue)
    push(stack)
    table.fieldCount += 1
    lua_rawset(stack.pointer, table.index)
  }

  func setEntry<Value: Encodable>(
    _ key: some CodedDictionaryKey, to value: Value, _ form: Form, of table: EncodingPlace
  ) throws {
    do throws(LuaError) {
      try key.push(to: stack)
    } catch {
      throw encodingError(key, error, path: table.codingPath)
    }
    do {
      try push(value, form, under: table, .key(key.pathKey))
    } catch {
      stack.pop(1)
      throw error
    }
    lua_rawset(stack.pointer, table.index)
  }

  /// Sets an element of a sequence, where ``LuaNull`` keeps the place of nil.
  func setElement<Value: Encodable>(_ offset: Int, to value: Value, of table: EncodingPlace) throws
  {
    try check(table, for: value)
    try setElement(offset, to: value, form(of: Value.self), of: table)
  }

  /// Sets an element of a table that is held.
  @inline(__always)
  func setElement<Value: Encodable>(
    _ offset: Int, to value: Value, _ form: Form, of table: EncodingPlace
  ) throws {
    try push(value, form, under: table, .element(offset))
    if stack.isNoneOrNil(at: -1) {
      stack.pop(1)
      try LuaNull.null.push(to: stack)
    }
    lua_rawseti(stack.pointer, table.index, lua_Integer(offset) + 1)
  }

  // MARK: - Tables

  /// Makes the value of a place a table, if it isn't one yet; returns whether it is one.
  func openTable(_ place: EncodingPlace, elementCount: Int = 0, fieldCount: Int32 = 0) -> Bool {
    guard place.isHeld else {
      fail("used after the value's encode(to:) had returned", place)
      return false
    }
    switch lua_type(stack.pointer, place.index) {
    case LUA_TTABLE: return true
    case LUA_TNIL:
      lua_createtable(stack.pointer, Int32(clamping: elementCount), fieldCount)
      replace(place)
      place.fieldCount = 0
      return true
    default:
      fail("a value was already encoded here", place)
      return false
    }
  }

  /// Adds a table to another.
  func addTable(_ step: CodingStep, to table: EncodingPlace) -> EncodingPlace {
    let place = addPlace(step, in: table)
    guard place.isHeld else { return place }
    lua_createtable(stack.pointer, 0, 0)
    replace(place)
    lua_pushvalue(stack.pointer, place.index)
    set(step, of: table)
    return place
  }

  /// Holds a place for a value that is put into a table when the value around it is done.
  func addAttachment(_ step: CodingStep, to table: EncodingPlace) -> EncodingPlace {
    let place = addPlace(step, in: table)
    if place.isHeld {
      attachments.append(Attachment(value: place, table: table, step: step))
    }
    return place
  }

  private func addPlace(_ step: CodingStep, in table: EncodingPlace) -> EncodingPlace {
    if !table.isHeld {
      fail("used after the value's encode(to:) had returned", table)
    } else if table.isTooDeep {
      fail(table.depthProblem.description, table)
    } else {
      do {
        return try holdNil(under: table, step)
      } catch {
        failure = failure ?? error
      }
    }
    return EncodingPlace(self)
  }

  private func attachSupers(above bottom: Int32) throws {
    while let attachment = attachments.last, attachment.value.index > bottom {
      attachments.removeLast()
      guard attachment.table.isHeld else { continue }
      lua_pushvalue(stack.pointer, attachment.value.index)
      if case .element = attachment.step, stack.isNoneOrNil(at: -1) {
        stack.pop(1)
        try LuaNull.null.push(to: stack)
      }
      set(attachment.step, of: attachment.table)
    }
  }

  /// Sets the entry of a table to the value on top, and pops it.
  private func set(_ step: CodingStep, of table: EncodingPlace) {
    if case .element(let offset) = step {
      lua_rawseti(stack.pointer, table.index, lua_Integer(offset) + 1)
    } else if let name = step.key?.stringValue {
      stack.push(name)
      lua_rotate(stack.pointer, -2, 1)
      lua_rawset(stack.pointer, table.index)
    }
  }

  // MARK: - Places

  /// Pushes nil, and holds its place.
  @inline(__always)
  private func holdNil(under parent: EncodingPlace?, _ step: CodingStep) throws(LuaError)
    -> EncodingPlace
  {
    stack.pushNil()
    do throws(LuaError) {
      try room.reserve()
    } catch {
      stack.pop(1)
      throw error
    }
    let place = places.hold(stack.count, under: parent, step) { EncodingPlace(self) }
    place.object = nil
    return place
  }

  private func replace(_ place: EncodingPlace) {
    lua_copy(stack.pointer, -1, place.index)
    stack.pop(1)
  }

  private func release(above index: Int32) {
    while let attachment = attachments.last, attachment.value.index > index {
      attachments.removeLast()
    }
    places.release(above: index) { EncodingPlace(self) }
  }

  // MARK: - Errors

  /// Keeps an error until the end, where it is thrown.
  private func fail(_ description: String, _ place: EncodingPlace) {
    failure = failure ?? misuse(Void.self, description, at: place)
  }

  @inline(__always)
  private func check<Value>(_ place: EncodingPlace, for value: Value) throws {
    if !place.isHeld { throw stalePlace(value, place) }
  }

  private func stalePlace<Value>(_ value: Value, _ place: EncodingPlace) -> any Error {
    failure ?? misuse(value, "used after the value's encode(to:) had returned", at: place)
  }

  private func misuse(_ value: Any, _ description: String, at place: EncodingPlace)
    -> EncodingError
  {
    .invalidValue(value, .init(codingPath: place.codingPath, debugDescription: description))
  }

  private func encodingError(_ value: Any, _ error: LuaError, path: [any CodingKey])
    -> EncodingError
  {
    .invalidValue(
      value,
      .init(codingPath: path, debugDescription: error.message, underlyingError: error))
  }
}

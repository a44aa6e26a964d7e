internal import CLua

// MARK: - Encoding

/// An array or dictionary, whose elements or entries the writer encodes without a container.
protocol EncodableCollection {
  func encodeParts(to place: EncodingPlace) throws
}

extension EncodableCollection {
  /// Encodes a value of this very type.
  static func encode<Value>(_ value: Value, to place: EncodingPlace) throws {
    try unsafeBitCast(value, to: Self.self).encodeParts(to: place)
  }
}

extension Array: EncodableCollection where Element: Encodable {
  func encodeParts(to place: EncodingPlace) throws {
    let writer = place.writer
    guard writer.openTable(place, elementCount: count) else { return }
    let form = writer.form(of: Element.self)
    // In place, for speed: without copies of the elements.
    try withUnsafeBufferPointer { elements in
      for offset in elements.indices {
        try writer.setElement(offset, to: elements[offset], form, of: place)
      }
    }
  }
}

extension Dictionary: EncodableCollection where Key: CodedDictionaryKey, Value: Encodable {
  func encodeParts(to place: EncodingPlace) throws {
    let writer = place.writer
    guard writer.openTable(place, fieldCount: Int32(clamping: count)) else { return }
    let form = writer.form(of: Value.self)
    for (key, value) in self {
      try writer.setEntry(key, to: value, form, of: place)
    }
  }
}

// MARK: - Decoding

/// An array or dictionary, whose elements or entries the reader decodes without a container.
protocol DecodableCollection {
  init(partsOf place: DecodingPlace) throws
}

extension DecodableCollection {
  /// Decodes a value of this very type.
  static func decode<Value>(as type: Value.Type, from place: DecodingPlace) throws -> Value {
    unsafeBitCast(try Self(partsOf: place), to: type)
  }
}

extension Array: DecodableCollection where Element: Decodable {
  init(partsOf place: DecodingPlace) throws {
    let reader = place.reader
    let access = try reader.openTable(place)
    let form = reader.form(of: Element.self)
    self.init()
    if access == .raw {
      switch form {
      case .integer: if try setElements([Int].self, in: place) { return }
      case .double: if try setElements([Double].self, in: place) { return }
      case .string: if try setElements([String].self, in: place) { return }
      case .boolean: if try setElements([Bool].self, in: place) { return }
      default: break
      }
    }
    let count = try reader.openSequence(place, access)
    func element(_ offset: Int) throws -> Element {
      try reader.pushElement(offset, of: place, access)
      return try reader.readTop(Element.self, form, under: place, .element(offset))
    }
    switch access {
    case .raw:
      self = try Self(unsafeUninitializedCapacity: count) { buffer, initializedCount in
        while initializedCount < count {
          buffer.initializeElement(at: initializedCount, to: try element(initializedCount))
          initializedCount += 1
        }
      }
    case .metamethods:
      // The length may be any number that a metamethod returned.
      for offset in 0..<count { append(try element(offset)) }
    }
  }
}

extension Array {
  /// Reads the elements of a table that is traversed in their order, for a type that is this very one; returns whether
  /// it is traversed so.
  @inline(__always)
  fileprivate mutating func setElements<Scalar: LuaReadable>(
    _ type: [Scalar].Type, in place: DecodingPlace
  ) throws -> Bool {
    guard let elements: [Scalar] = try place.reader.orderedElements(place) else { return false }
    self = unsafeBitCast(elements, to: Self.self)
    return true
  }
}

extension TableReader {
  /// The elements of a table that is traversed in their order, as most sequences are; `nil` for any other table.
  ///
  /// Only for types whose values are read without running anything that could change the table.
  fileprivate func orderedElements<Element: LuaReadable>(_ place: DecodingPlace) throws
    -> [Element]?
  {
    let bottom = stack.count
    defer { lua_settop(stack.pointer, bottom) }
    var elements: [Element] = []
    stack.pushNil()
    while lua_next(stack.pointer, place.index) != 0 {
      guard lua_isinteger(stack.pointer, -2) != 0,
        lua_tointegerx(stack.pointer, -2, nil) == elements.count + 1
      else { return nil }
      do throws(LuaTypeMismatch) {
        elements.append(try Element.read(from: stack, at: -1))
      } catch {
        throw mismatch(
          error.description, path: place.codingPath + [PathKey.element(elements.count)])
      }
      stack.pop(1)
    }
    return elements
  }
}

extension Dictionary: DecodableCollection where Key: CodedDictionaryKey, Value: Decodable {
  init(partsOf place: DecodingPlace) throws {
    let reader = place.reader
    let access = try reader.openTable(place)
    let form = reader.form(of: Value.self)
    self.init()
    switch (access, form) {
    case (.raw, .string), (.raw, .integer), (.raw, .double), (.raw, .boolean), (.raw, .scalar):
      // Reading such a value runs nothing that could change the table.
      reader.stack.pushNil()
      while lua_next(reader.stack.pointer, place.index) != 0 {
        let key = try reader.key(Key.self, at: reader.stack.count - 1, of: place)
        updateValue(
          try reader.readTop(Value.self, form, under: place, .key(key.pathKey)), forKey: key)
      }
    default:
      for key in try reader.keys(Key.self, of: place, access) {
        updateValue(try reader.entry(key, form, of: place, access), forKey: key)
      }
    }
  }
}

extension ValueDecoder {
  /// The error that a type's `init(from:)` threw; one that lists the cases, if the value is none of an enum's.
  func explain<Value>(_ error: any Error, _ type: Value.Type) throws(LuaError) -> any Error {
    guard let error = error as? DecodingError, error.path?.count == codingPath.count else {
      return error
    }
    let description = try inspect(value) { stack, index in
      EnumValue(stack: stack, index: index).problem(as: type)
    }
    return description.map { mismatch($0) } ?? error
  }
}

/// A value on the stack that should be a case of an enum.
private struct EnumValue {
  let stack: LuaStack
  let index: Int32

  func problem<Value>(as type: Value.Type) -> String? {
    switch type {
    case let type as any (CaseIterable & RawRepresentable).Type: rawCases(of: type)
    case let type as any RawRepresentable.Type: unknownCase(of: type)
    default: nil
    }
  }

  private func rawCases<Value: CaseIterable & RawRepresentable>(
    of type: Value.Type
  ) -> String? {
    if let raw = rawValue(of: type), Value(rawValue: raw) != nil { return nil }
    let cases = type.allCases.map(\.rawValue)
    let got = stack.valueText(at: index)
    guard let names = cases as? [String] else {
      return "\(Self.list(cases.map { "\($0)" })) expected, got \(got)"
    }
    let advice = stack.advice(at: index, names)
    return "\(Self.list(names.map { "'\($0)'" })) expected, got \(got)\(advice)"
  }

  /// For an enum whose cases can't be listed.
  private func unknownCase<Value: RawRepresentable>(of type: Value.Type)
    -> String?
  {
    guard let raw = rawValue(of: type), Value(rawValue: raw) == nil else { return nil }
    return "a known value expected, got \(stack.valueText(at: index))"
  }

  private func rawValue<Value: RawRepresentable>(of type: Value.Type)
    -> Value.RawValue?
  {
    guard let type = Value.RawValue.self as? any LuaReadable.Type else { return nil }
    return stack.value(at: index, as: type) as? Value.RawValue
  }

  /// "'red', 'green' or 'blue'"; of many, the first ones.
  private static func list(_ cases: [String]) -> String {
    let maximum = 8
    var shown = Array(cases.prefix(cases.count > maximum ? maximum - 2 : maximum))
    let last =
      shown.count < cases.count
      ? "one of \(cases.count - shown.count) others" : shown.popLast() ?? "no value"
    return shown.isEmpty ? last : "\(shown.joined(separator: ", ")) or \(last)"
  }
}

extension LuaStack {
  /// The value at an index as messages show it: "'red'", "7", or its type's name.
  fileprivate func valueText(at index: Int32) -> String {
    switch type(at: index) {
    case .string, .number, .boolean: keyText(at: index)
    default: typeName(at: index)
    }
  }

  /// "; did you mean 'red'?" for a string that is nearly one of the names, otherwise nothing.
  fileprivate func advice(at index: Int32, _ names: [String]) -> String {
    bytes(at: index).flatMap { String(shortening: $0).suggestion(of: names) } ?? ""
  }
}

extension DecodingError {
  fileprivate var path: [any CodingKey]? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      context.codingPath
    default: nil
    }
  }
}

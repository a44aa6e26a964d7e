// The forms in which Wolfram|Alpha writes one and the same thing.

/// A list, or a single value in its place.
struct OneOrMany<Value: Decodable>: Decodable {
  let values: [Value]

  init(from decoder: any Decoder) throws {
    if var container = try? decoder.unkeyedContainer() {
      var values: [Value] = []
      while !container.isAtEnd { values.append(try container.decode(Value.self)) }
      self.values = values
    } else {
      values = [try Value(from: decoder)]
    }
  }
}

/// Text, or a number in its place.
struct LenientText: Decodable {
  let value: String

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      value = text
    } else if let number = try? container.decode(Int.self) {
      value = String(number)
    } else {
      value = String(try container.decode(Double.self))
    }
  }
}

/// A truth value, or the word for it in quotes.
struct LenientFlag: Decodable {
  let value: Bool

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let flag = try? container.decode(Bool.self) {
      value = flag
      return
    }
    switch try container.decode(String.self).lowercased() {
    case "true": value = true
    case "false": value = false
    default:
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "expected true or false")
    }
  }
}

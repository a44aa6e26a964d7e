/// The coding key of an entry in a dictionary that is keyed by integers.
struct IntegerKey: CodingKey {
  let value: Int

  init(intValue: Int) { value = intValue }

  init?(stringValue: String) {
    guard let value = Int(stringValue) else { return nil }
    self.value = value
  }

  var intValue: Int? { value }
  var stringValue: String { "\(value)" }
}

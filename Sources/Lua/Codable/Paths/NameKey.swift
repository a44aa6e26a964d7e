/// The coding key of an entry in a dictionary that is keyed by strings, or of a class's superclass.
struct NameKey: CodingKey {
  static let `super` = NameKey(stringValue: "super")

  let stringValue: String

  init(stringValue: String) { self.stringValue = stringValue }

  init?(intValue: Int) { nil }

  var intValue: Int? { nil }
}

/// The coding key of an element in a sequence.
struct ElementKey: CodingKey {
  /// Counted from 0, as Swift's own coding paths are; messages count from 1.
  let offset: Int

  init(offset: Int) { self.offset = offset }

  init(intValue: Int) { offset = intValue }

  init?(stringValue: String) { nil }

  var intValue: Int? { offset }
  var stringValue: String { "Index \(offset)" }
}

/// An entry of a journal that can't be read.
struct EntryDamage: Equatable, Sendable {
  /// The entry's number.
  let number: Int
  /// What is wrong with it.
  let reason: String
}

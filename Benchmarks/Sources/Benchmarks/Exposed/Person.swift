/// A record, as `plain_person` in Persons.c.
struct Person: Codable, Equatable {
  let number: Int
  let name: String
  let balance: Double
  let active: Bool

  static func samples(_ count: Int) -> [Person] {
    (1...count).map { number in
      Person(
        number: number, name: "Person \(number)", balance: Double(number) / 4,
        active: number % 2 == 0)
    }
  }
}

import StateStore
extension Persons {
  /// A person as sources write them: an object with a `name` and an `age`.
  struct SourceRecord: Decodable, Equatable, Sendable {
    let name: String
    let age: Int

    private enum CodingKeys: CodingKey {
      case name, age
    }

    init(name: String, age: Int) {
      self.name = name
      self.age = age
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let name = try container.decode(String.self, forKey: .name)
      let age = try container.decode(Int.self, forKey: .age)
      guard !name.isBlank else {
        throw JSONProblem(container.codingPath + [CodingKeys.name], "is empty")
      }
      guard Persons.ages.contains(age) else {
        throw JSONProblem(
          container.codingPath + [CodingKeys.age],
          "\(age) isn't from \(Persons.ages.lowerBound) to \(Persons.ages.upperBound)")
      }
      self.init(name: name, age: age)
    }
  }
}

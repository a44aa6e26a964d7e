import PrimereplPlatform
public import StateStore

/// A list of persons.
public enum Persons: Feature {
  /// "persons".
  public static let name = "persons"

  /// No persons.
  public static var initial: State { State() }

  /// A person.
  public struct Person: Record, FieldRecord {
    /// The number by which actions name the person.
    public let id: Int
    /// The name, which isn't blank.
    public var name: String
    /// The age in years, one of `Persons.ages`.
    public var age: Int

    /// Makes a person.
    public init(id: Int, name: String, age: Int) {
      self.id = id
      self.name = name
      self.age = age
    }

    /// Whether two persons are the same; names are compared byte by byte, since a letter can have several encodings.
    public static func == (left: Person, right: Person) -> Bool {
      left.id == right.id && left.age == right.age && left.name.isExactly(right.name)
    }

    /// The names of the parts in scripts and files.
    public static let fields: [RecordField<Person>] = [
      .constant("id", \.id, help: "The person's id."),
      .field("name", \.name, help: "The name; assign it to edit it."),
      .field("age", \.age, help: "The age in years, 0 to 150; assign it to edit it."),
    ]

    /// Checks the name and the age.
    public func validate() throws { try check(name: name, age: age) }
  }

  /// The state of the list.
  public struct State: Codable, Equatable, Sendable {
    /// The persons, in the order they were added.
    public internal(set) var list = RecordList<Person>()

    /// Makes the action that changes a person.
    ///
    /// - Parameters:
    ///   - id: The person's id.
    ///   - name: The new name, or nil to keep the old one.
    ///   - age: The new age, or nil to keep the old one.
    /// - Returns: The action; nil if nothing would change.
    /// - Throws: `PersonsError.notFound`.
    public func edit(_ id: Int, name: String?, age: Int?) throws(PersonsError) -> Action? {
      guard let person = list[id: id] else { throw .notFound(id: id) }
      let newName = name.flatMap { $0.isExactly(person.name) ? nil : $0 }
      let newAge = age == person.age ? nil : age
      return newName == nil && newAge == nil ? nil : .edit(id: id, name: newName, age: newAge)
    }
  }

  /// Everything that can happen to the list.
  public enum Action: Codable, Equatable, Sendable {
    /// A new person is added after the others.
    case add(Person)
    /// A person gets another name, another age, or both; nil keeps the old value.
    case edit(id: Int, name: String?, age: Int?)
    /// A person is removed.
    case remove(id: Int)
  }

  /// The valid ages.
  public static let ages = 0...150

  /// Applies an action to the list.
  ///
  /// - Throws: `PersonsError`, or `RecordListError` for duplicate ids; the state is then unchanged.
  public static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .add(let person):
      try check(name: person.name, age: person.age)
      try state.list.append(person)
    case .edit(let id, let name, let age):
      try check(name: name, age: age)
      let isThere = state.list.update(id: id) { person in
        if let name { person.name = name }
        if let age { person.age = age }
      }
      guard isThere else { throw PersonsError.notFound(id: id) }
    case .remove(let id):
      guard state.list.remove(id: id) != nil else { throw PersonsError.notFound(id: id) }
    }
  }

  /// Checks a person's new values; nil means no change.
  static func check(name: String?, age: Int?) throws(PersonsError) {
    if let name, name.isBlank { throw .emptyName }
    if let age, !ages.contains(age) { throw .ageOutOfRange(age) }
  }

  /// Replaces the persons with those of a source, with new ids.
  public static let fetch = Request<Persons, Source, [Person]>(
    "fetch", isLocal: \.isLocal, isLatest: true,
    ask: { context in
      guard let source = context.question.name else {
        return [("Majid", 27), ("John", 31), ("Fred", 25)].map(SourceRecord.init)
      }
      return try await context.services.documents.records(of: SourceRecord.self, from: source)
    },
    answer: { records, _, newID in
      records.map { Person(id: newID(), name: $0.name, age: $0.age) }
    },
    reply: { persons in persons.map { SourceRecord(name: $0.name, age: $0.age) } },
    done: { state, persons in
      for person in persons { try person.validate() }
      try state.list.replaceAll(with: persons)
    })

  /// All parts of the state.
  public static let fields: [Field<Persons>] = [
    .list(
      "", \.list, missing: { PersonsError.notFound(id: $0) },
      .set(\.name) { .edit(id: $0, name: $1, age: nil) },
      .set(\.age) { .edit(id: $0, name: nil, age: $1) }),
    .request(fetch, pending: "loading", error: "error"),
  ]

  /// The services that the request asks.
  public typealias Services = PrimereplDomain.Services

  /// The codes of its errors.
  public enum ErrorCode: String, FeatureErrorCode {
    case notFound, emptyName, ageOutOfRange
  }
}

/// Why something can't be done with the list of persons.
public typealias PersonsError = FeatureError<Persons>

extension PersonsError {
  static var emptyName: Self {
    Self(.emptyName, "The name is empty: a person needs a name.")
  }

  static func ageOutOfRange(_ age: Int) -> Self {
    Self(
      .ageOutOfRange,
      "The age \(age) is out of range: give one from \(Persons.ages.lowerBound) to "
        + "\(Persons.ages.upperBound).")
  }

  package static func notFound(id: Int) -> Self {
    Self(
      .notFound, "No person has the id \(id): they were removed, or never existed.")
  }
}

// MARK: - Sources

extension Persons {
  /// A person as sources write it: an object with a `name` and an `age`.
  struct SourceRecord: Equatable, Sendable {
    let name: String
    let age: Int
  }
}

extension Persons.SourceRecord: Codable {
  private enum CodingKeys: CodingKey {
    case name, age
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    age = try container.decode(Int.self, forKey: .age)
    guard !name.isBlank else {
      throw DocumentError(container.codingPath + [CodingKeys.name], "is empty")
    }
    guard Persons.ages.contains(age) else {
      throw DocumentError(
        container.codingPath + [CodingKeys.age],
        "\(age) isn't from \(Persons.ages.lowerBound) to \(Persons.ages.upperBound)")
    }
  }
}

internal import PlainC

/// Persons as a C program holds them.
final class PlainPersons {
  private let persons: OpaquePointer

  /// The persons that ``Person/samples(_:)`` gives.
  init(samples count: Int) throws {
    guard let persons = plain_new_persons(Int64(count)) else { throw BenchmarkError.outOfMemory }
    self.persons = persons
  }

  /// Reads the persons in a table.
  init(from table: Int32, in interpreter: PlainInterpreter) {
    persons = plain_read_persons(interpreter.state, table)
  }

  deinit { plain_free_persons(persons) }

  var count: Int { Int(plain_count_persons(persons)) }

  /// Makes a table of them, uses it, and lets go of it.
  func withTable<Result>(
    in interpreter: PlainInterpreter, _ use: (_ table: Int32) throws -> Result
  ) rethrows -> Result {
    let table = plain_write_persons(interpreter.state, persons)
    defer { plain_release(interpreter.state, table) }
    return try use(table)
  }
}

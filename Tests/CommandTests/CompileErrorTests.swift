import Foundation
import Testing
import TestSupport

/// The mistakes of a feature's author, compiled against the built kit as in a package with default settings.
@Suite("The compiler's errors in a feature")
struct CompileErrorTests {
  /// A declaration with a mistake, and the only error that the compiler may report for it.
  private struct Mistake {
    let declaration: String
    let error: String

    init(_ declaration: String, _ error: String) {
      (self.declaration, self.error) = (declaration, error)
    }
  }

  private static let feature = #"""
    import StateStore

    struct Price: Codable, Equatable, Sendable {}

    struct Item: Record, FieldRecord {
      let id: Int
      var text: String
      var upper: String { text.uppercased() }
      static let fields: [RecordField<Item>] = [.constant("id", \.id), .field("text", \.text)]
    }

    enum Cart: Feature {
      struct State: Codable, Equatable, Sendable {
        var count = 0
        var price = Price()
        var prices: [Price] = []
        var items = RecordList<Item>()
        let limit: Int
        var isFull: Bool { count >= limit }
        var shown: RecordList<Item> { items }
      }
      enum Action: Codable, Equatable, Sendable {
        case set(count: Int), rename(id: Int, text: String)
      }
      static let name = "cart"
      static let initial = State(limit: 9)
      static let fields: [Field<Cart>] = [
        .value("count", \.count, help: "The count.") { .set(count: $0) },
        .derived("is_full", \.isFull), .derived("rest") { $0.limit - $0.count },
        .list("items", \.items, .set(\.text) { .rename(id: $0, text: $1) }),
        .hidden(\.price), .hidden(\.prices), .hidden(\.limit),
      ]
      static func reduce(_ state: inout State, _ action: Action) throws {}
    }


    """#

  private static let mistakes = [
    Mistake(
      #"let fields: [Field<Cart>] = [.value("count", \.count), .value("a", \.cuont)]"#,
      "value of type 'Cart.State' has no member 'cuont'"),
    Mistake(
      #"let action: Field<Cart> = .value("a", \.cuont) { .set(count: $0) }"#,
      "value of type 'Cart.State' has no member 'cuont'"),
    Mistake(
      #"let list: Field<Cart> = .list("a", \.itmes).inView("b")"#,
      "value of type 'Cart.State' has no member 'itmes'"),
    Mistake(
      #"let part: Field<Cart> = .list("a", \.items, .set(\.txt) { .rename(id: $0, text: $1) })"#,
      "value of type 'Item' has no member 'txt'"),
    Mistake(
      #"let hidden: Field<Cart> = .hidden(\.cuont)"#,
      "value of type 'Cart.State' has no member 'cuont'"),
    Mistake(
      #"let derived: Field<Cart> = .derived("a", \.isFul)"#,
      "value of type 'Cart.State' has no member 'isFul'"),
    Mistake(#"let computed: Field<Cart> = .value("a", \.isFull)"#, "use .derived"),
    Mistake(#"let constant: Field<Cart> = .value("a", \.limit)"#, "make a let a var"),
    Mistake(
      #"let computedList: Field<Cart> = .list("a", \.shown)"#,
      ".list takes a stored property (var) that is a RecordList"),
    Mistake(
      #"let noList: Field<Cart> = .list("a", \.prices)"#,
      ".list takes a stored property (var) that is a RecordList"),
    Mistake(
      #"let plain: Field<Cart> = .value("a", \.price)"#,
      "requires that 'Price' conform to 'FieldValue'"),
    Mistake(
      #"let nested: Field<Cart> = .value("a", \.prices)"#,
      "requires that 'Price' conform to 'FieldValue'"),
    Mistake(
      #"let otherAction: Field<Cart> = .value("a", \.count) { .sett(count: $0) }"#,
      "type 'Cart.Action' has no member 'sett'"),
    Mistake(
      #"let field: RecordField<Item> = .field("a", \.txt)"#,
      "value of type 'Item' has no member 'txt'"),
    Mistake(
      #"let readOnly: RecordField<Item> = .constant("a", \.txt)"#,
      "value of type 'Item' has no member 'txt'"),
    Mistake(
      #"let constantField: RecordField<Item> = .field("a", \.id)"#, "use .constant for a let"),
    Mistake(
      #"let computedField: RecordField<Item> = .field("a", \.upper)"#, ".derived for a computed one"
    ),
  ]

  @Test("name the mistake, and nothing else")
  func errors() async throws {
    let declarations = Self.mistakes.map(\.declaration).joined(separator: "\n")
    let errors = try await Self.compile(Self.feature + declarations)
    let first = Self.feature.count { $0 == "\n" } + 1
    for (number, mistake) in Self.mistakes.enumerated() {
      let found = errors.filter { $0.line == first + number }.map(\.text)
      #expect(found.count == 1, "\(mistake.declaration): \(found)")
      #expect(found.first?.contains(mistake.error) == true, "\(mistake.declaration): \(found)")
    }
    #expect(errors.allSatisfy { $0.line >= first }, "\(errors)")
  }

  /// The errors in a source file, with their lines.
  private static func compile(_ source: String) async throws -> [(line: Int, text: String)] {
    let folder = try TemporaryFolder()
    try source.write(
      to: folder.url.appendingPathComponent("feature.swift"), atomically: true, encoding: .utf8)
    let modules = URL(fileURLWithPath: try BuiltExecutable.path(of: "notes"))
      .deletingLastPathComponent().appendingPathComponent("Modules").path
    var runner = CommandRunner()
    runner.program = "/bin/sh"
    runner.workingDirectory = folder.url.path
    let result = try await runner.run([
      "-c", "swiftc -typecheck -parse-as-library -swift-version 6 -I '\(modules)' feature.swift",
    ])
    return result.error.split(separator: "\n").compactMap { line in
      guard let match = line.wholeMatch(of: /feature\.swift:(\d+):\d+: error: (.*)/),
        let number = Int(match.1)
      else { return nil }
      return (number, String(match.2))
    }
  }
}

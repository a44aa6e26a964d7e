import Testing

@testable import Scenarios

@Suite("Choosing scenarios")
struct ScenarioSelectionTests {
  private let scenarios = (1...20).map { number in
    ScenarioDescription(
      id: .init(file: number <= 10 ? "a" : "b", number: number),
      names: ["group", "case \(number)"],
      line: number, tags: number.isMultiple(of: 2) ? ["even", "all"] : ["all"])
  }

  private func chosen(
    lines: [String: Set<Int>] = [:], from scenarios: [ScenarioDescription]? = nil,
    _ set: (inout RunOptions.Selection) -> Void = { _ in }
  ) -> [Int] {
    var options = RunOptions.Selection()
    set(&options)
    return ScenarioSelection(options: options, lines: lines, lastFailed: nil)
      .chosen(of: scenarios ?? self.scenarios).map(\.id.number)
  }

  @Test("Without options, all scenarios are chosen, in their order")
  func all() { #expect(chosen() == Array(1...20)) }

  @Test("A filter chooses the names that contain it, several those that contain one")
  func filters() {
    #expect(chosen { $0.filters = ["case 1"] } == [1] + Array(10...19))
    #expect(chosen { $0.filters = ["se 20", "se 3"] } == [3, 20])
    #expect(chosen { $0.filters = ["nothing"] } == [])
    #expect(chosen { $0.filters = [""] }.count == 20)
  }

  @Test("A filter that is exactly a full name chooses only that scenario")
  func exactName() { #expect(chosen { $0.filters = ["group > case 1", "case 3"] } == [1, 3]) }

  @Test("Tags choose those that have one, and exclude after a minus sign")
  func tags() {
    #expect(chosen { $0.tags = ["even"] } == Array(stride(from: 2, through: 20, by: 2)))
    #expect(chosen { $0.tags = ["-even"] } == Array(stride(from: 1, through: 19, by: 2)))
    #expect(chosen { $0.tags = ["all", "-even"] }.count == 10)
    #expect(chosen { $0.tags = ["even", "none"] }.count == 10)
    #expect(chosen { $0.tags = ["none"] } == [])
  }

  @Test("Lines choose the scenarios declared there, in the files that have them")
  func lines() { #expect(chosen(lines: ["a": [3, 5]]) == [3, 5] + Array(11...20)) }

  @Test("only excludes the others, unless it isn't chosen itself")
  func only() {
    var marked = scenarios
    marked[4] = ScenarioDescription(
      id: marked[4].id, names: marked[4].names, line: 5, tags: ["odd"], isOnly: true)
    #expect(chosen(from: marked) == [5])
    #expect(chosen(from: marked) { $0.tags = ["even"] }.count == 10)
  }

  @Test("Random orders are the same, whatever the order of declaration")
  func declarationOrder() throws {
    let other = scenarios.enumerated().reversed().map { index, scenario in
      ScenarioDescription(
        id: .init(file: scenario.id.file, number: 20 - index), names: scenario.names,
        line: scenario.line)
    }
    #expect(
      chosen { $0.shuffleSeed = 1 } == chosen(from: other) { $0.shuffleSeed = 1 }.map { 21 - $0 })
  }

  @Test("A seed gives the same random order each time, another one another")
  func shuffle() {
    let first = chosen { $0.shuffleSeed = 1 }
    #expect(first == chosen { $0.shuffleSeed = 1 })
    #expect(first != chosen { $0.shuffleSeed = 2 })
    #expect(first != Array(1...20))
    #expect(first.sorted() == Array(1...20))
  }
}

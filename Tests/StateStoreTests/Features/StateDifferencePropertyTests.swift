import SampleFeatures
import Testing
import TestSupport

@testable import StateStore

@Suite("Differences after random actions")
struct StateDifferencePropertyTests {
  /// The states of a session that sometimes goes back and continues differently.
  private func states(seed: Int) throws -> [States] {
    let store = Store()
    var actions = RandomActions(seed: seed)
    var states = [store.states]
    for _ in 0..<300 {
      do {
        if actions.number(0..<12) == 0 {
          try store.jump(to: actions.number(0..<store.position + 1))
        } else {
          try store.send(actions.next())
        }
      } catch is any CodedError {
        continue
      }
      states.append(store.states)
    }
    return states
  }

  @Test("turn the old state into the new one, and omit equal parts", arguments: 0..<10)
  func consistency(seed: Int) throws {
    let states = try states(seed: seed)
    var random = RandomActions(seed: seed)
    for (index, new) in states.enumerated().dropFirst() {
      for old in [states[index - 1], states[random.number(0..<states.count)]] {
        try check(Sample.schema.differences(from: old, to: new), from: old, to: new)
      }
    }
  }

  private func check(_ differences: [StateDifference], from old: States, to new: States) throws {
    #expect(Set(differences.map(\.path)).count == differences.count)
    var rest = differences[...]
    for field in Sample.schema.fields {
      let own = try #require(StatePath(field.path)).steps
      // They come in the order of the fields.
      let mine = try rest.prefix { difference in
        let steps = try #require(StatePath(difference.path)).steps
        return steps.starts(with: own) && Self.field(at: difference.path) == field.path
      }
      rest = rest.dropFirst(mine.count)
      let (old, new) = (field.value(in: old), field.value(in: new))
      #expect(mine.isEmpty == (old == new), "\(field.path)")
      for difference in mine where !difference.path.hasSuffix(".removed") {
        let steps = try #require(StatePath(difference.path)).steps[own.count...]
        #expect(new.value(at: steps) == difference.new ?? .none)
        #expect(difference.old != difference.new)
      }
      #expect(try applied(Array(mine), to: old, at: own) == new, "\(field.path): \(mine)")
    }
    #expect(rest.isEmpty)
  }

  /// The longest path of a field that a path is below.
  private static func field(at path: String) -> String? {
    Sample.schema.fields.map(\.path)
      .filter { path == $0 || path.hasPrefix($0 + ".") || path.hasPrefix($0 + "[") }
      .max { $0.count < $1.count }
  }

  /// The value that differences below a path make of an old one.
  private func applied(
    _ differences: [StateDifference], to old: StateValue, at path: [StatePath.Step]
  ) throws -> StateValue {
    func steps(_ difference: StateDifference) throws -> ArraySlice<StatePath.Step> {
      try #require(StatePath(difference.path)).steps.dropFirst(path.count)
    }
    guard !differences.isEmpty else { return old }
    if let whole = try differences.first(where: { try steps($0).isEmpty }) {
      #expect(differences.count == 1 && (whole.old ?? .none) == old)
      return whole.new ?? .none
    }
    switch old {
    case .record(let members):
      return .record(
        try members.map { member in
          let step = StatePath.Step.name(member.name)
          let below = try differences.filter { try steps($0).first == step }
          return .init(
            name: member.name,
            value: try applied(below, to: member.value, at: path + [step]))
        })
    case .list(let values, members: []):
      var values = values
      for case .list(let removed, _)? in try differences.filter({
        try steps($0).first == .name("removed")
      }).map(\.new) {
        // In their old order, so that each is found after the one before it.
        var start = 0
        for element in removed {
          let index = try #require(values[start...].firstIndex(of: element))
          values.remove(at: index)
          start = index
        }
      }
      for difference in differences {
        let steps = try steps(difference)
        guard case .position(let position)? = steps.first, steps.count == 1,
          difference.old == nil, let new = difference.new
        else { continue }
        values.insert(new, at: position - 1)
      }
      for index in values.indices {
        let step = StatePath.Step.position(index + 1)
        let below = try differences.filter { try steps($0).count > 1 && steps($0).first == step }
        values[index] = try applied(below, to: values[index], at: path + [step])
      }
      return .list(values)
    default:
      Issue.record("\(differences) are below a value without parts.")
      return old
    }
  }
}

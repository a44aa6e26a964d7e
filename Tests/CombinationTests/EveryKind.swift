import Foundation
import StateStore

/// A Swift feature with every kind of field and of value: add new ones here.
enum EveryKind: Feature {
  enum Size: String, CaseIterable, Codable, FieldValue {
    case small = "Small"
    case large = "Lárge"
  }

  struct Place: FieldRecord, Codable, Equatable, Sendable {
    var city = ""
    var zip: Int?
    var pin = Secret.empty
    var since = Date(timeIntervalSince1970: 0)

    static let fields: [RecordField<Place>] = [
      .field("city", \.city), .field("zip", \.zip), .field("pin", \.pin), .field("since", \.since),
    ]
  }

  /// A record with parts of every kind.
  struct Item: Record, FieldRecord {
    let id: Int
    var text = ""
    var size = Size.small
    var place: Place?
    var tags: [String] = []

    static let fields: [RecordField<Item>] = [
      .constant("id", \.id), .field("text", \.text), .field("size", \.size),
      .field("place", \.place), .field("tags", \.tags), .derived("length") { $0.text.utf8.count },
    ]
  }

  /// A record of a single number, which is its own id.
  struct Number: RawRepresentable, Record {
    let rawValue: Int
    var id: Int { rawValue }
    var stateValue: StateValue { .integer(rawValue) }
  }

  /// A record of a single text, whose id isn't shown.
  struct Word: RawRepresentable, Record {
    let rawValue: String
    var id: Int { rawValue.utf8.reduce(0) { $0 &* 31 &+ Int($1) } }
    var stateValue: StateValue { .text(rawValue) }
  }

  /// A record whose computed id isn't one of its fields.
  struct Day: Record, FieldRecord {
    let number: Int
    var note = ""
    var id: Int { number }

    static let fields: [RecordField<Day>] = [.constant("number", \.number), .field("note", \.note)]
  }

  struct State: Codable, Equatable, Sendable {
    var flag = false
    var count = 0
    var rate = 0.5
    var text = ""
    var pin = Secret.empty
    var since = Date(timeIntervalSince1970: 0)
    var date = CalendarDate.start
    var time = TimeStamp.start
    var size = Size.small
    var maybe: String?
    var place = Place()
    var places: [Place] = []
    var texts: [String] = []
    var items = RecordList<Item>()
    var newest = RecordList<Item>(order: .newestFirst)
    var numbers = RecordList<Number>()
    var words = RecordList<Word>()
    var days = RecordList<Day>()
    var sum = 0
  }

  /// Changes the values, each in turn.
  struct Values: Codable, Equatable, Sendable {
    var flag = true
    var number = 7
    var text = "e\u{301}"
    var pin = Secret("secret-of-swift")
  }

  enum Change: Codable, Equatable, Sendable {
    case insert(Item, at: Int)
    case append(Item)
    case remove(id: Int)
    case move(id: Int, to: Int)
    case rename(id: Int, String)
    case replace([Item])
    case clear
  }

  enum Action: Codable, Equatable, Sendable {
    case set(Values)
    case add(Int, String)
    case remove(Int, String)
    case edit([Change], isNewest: Bool)
  }

  static let name = "every"
  static var initial: State { State() }
  static let fields: [Field<EveryKind>] = [
    .value("flag", \.flag), .value("count", \.count), .value("rate", \.rate),
    .value("text", \.text), .value("pin", \.pin), .value("since", \.since), .value("date", \.date),
    .value("time", \.time), .value("size", \.size),
    .value("maybe", \.maybe), .value("place", \.place), .value("places", \.places),
    .value("texts", \.texts), .list("items", \.items), .list("newest", \.newest),
    .list("numbers", \.numbers), .list("words", \.words), .list("days", \.days),
    .derived("total") { $0.items.count + $0.newest.count }, .hidden(\.sum), .request(load),
  ]

  static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .set(let values): set(values, in: &state)
    case .add(let number, let text):
      try state.numbers.append(Number(rawValue: number))
      try state.words.append(Word(rawValue: text))
      try state.days.append(Day(number: number, note: text))
      state.sum &+= number
    case .remove(let number, let text):
      state.numbers.remove(id: number)
      state.words.remove(id: Word(rawValue: text).id)
      state.days.update(id: number) { $0.note = "changed" }
    case .edit(let changes, let isNewest):
      for change in changes {
        if isNewest {
          try apply(change, to: &state.newest)
        } else {
          try apply(change, to: &state.items)
        }
      }
    }
  }

  private static func set(_ values: Values, in state: inout State) {
    (state.flag, state.count, state.rate) = (values.flag, values.number, Double(values.number) / 8)
    (state.text, state.pin) = (values.text, values.pin)
    state.since = Date(timeIntervalSince1970: Double(values.number))
    state.date = CalendarDate(daysSince1970: values.number) ?? .start
    state.time = TimeStamp(millisecondsSince1970: values.number) ?? .start
    (state.size, state.maybe) = (values.flag ? .large : .small, values.flag ? values.text : nil)
    state.place = Place(city: values.text, zip: values.number, pin: values.pin)
    state.places.append(state.place)
    state.texts.append(values.text)
    // Not always, as changes of fields are saved as those only if nothing else has changed.
    if values.flag { state.sum += 1 }
  }

  private static func apply(_ change: Change, to list: inout RecordList<Item>) throws {
    switch change {
    case .insert(let item, let position): try list.insert(item, at: min(position, list.count))
    case .append(let item): try list.append(item)
    case .remove(let id): list.remove(id: id)
    case .move(let id, let position):
      try list.move(id: id, to: max(0, min(position, list.count - 1)))
    case .rename(let id, let text): list.update(id: id) { $0.text = text }
    case .replace(let items): try list.replaceAll(with: items)
    case .clear: list.removeAll()
    }
  }

  /// Changes the state when it is asked and answered.
  static let load = Request<EveryKind, Int, Int>(
    "load", ask: { $0.question },
    asked: { state, _ in
      state.text += "asked"
      state.items.removeAll()
    },
    done: { state, answer in
      state.count = answer
      try state.items.append(Item(id: 1_000_000 + state.items.count, text: "\(answer)"))
    })
}

package import StateStore

/// Features whose names collide with one another, or with those of databases, if they are names of views and columns.
package enum OddNames {
  private static let beginning =
    "a_name_of_more_than_sixty_three_letters_which_postgresql_cuts_off"

  /// The only action.
  package enum Action: Codable, Equatable, Sendable { case add(id: Int) }

  package struct Item: Record, FieldRecord {
    package let id: Int
    package var position = 7
    package var session = "mine"

    package static let fields: [RecordField<Item>] = [
      .constant("id", \.id), .field("position", \.position), .field("session", \.session),
    ]
  }

  package struct Values: Codable, Equatable, Sendable {
    package var session = 5
    package var position = 6
  }

  package struct List: Codable, Equatable, Sendable {
    package var items = RecordList<Item>()
  }

  /// A name that SQLite keeps for itself.
  package enum Reserved: Feature {
    package static let name = "sqlite_x"
    package static var initial: Values { Values() }
    package static let fields: [Field<Reserved>] = [
      .value("session", \.session), .value("position", \.position),
    ]
    package static func reduce(_ state: inout Values, _ action: Action) { state.session += 1 }
  }

  /// A list whose view has the name of another feature.
  package enum Cart: Feature {
    package static let name = "cart"
    package static var initial: List { List() }
    package static let fields: [Field<Cart>] = [.list("items", \.items)]
    package static func reduce(_ state: inout List, _ action: Action) throws {
      guard case .add(let id) = action else { return }
      try state.items.append(Item(id: id))
    }
  }

  package enum CartItems: Feature {
    package static let name = "cart_items"
    package static var initial: Values { Values() }
    package static let fields: [Field<CartItems>] = [
      .value("session", \.session), .value("position", \.position),
    ]
    package static func reduce(_ state: inout Values, _ action: Action) { state.session += 1 }
  }

  /// The name of a table.
  package enum History: Feature {
    package static let name = "history"
    package static var initial: Values { Values() }
    package static let fields: [Field<History>] = [
      .value("session", \.session), .value("position", \.position),
    ]
    package static func reduce(_ state: inout Values, _ action: Action) { state.session += 1 }
  }

  /// A word of SQL.
  package enum Word: Feature {
    package static let name = "order"
    package static var initial: Values { Values() }
    package static let fields: [Field<Word>] = [
      .value("session", \.session), .value("position", \.position),
    ]
    package static func reduce(_ state: inout Values, _ action: Action) { state.session += 1 }
  }

  /// A name of more than 63 bytes, after which PostgreSQL cuts names.
  package enum Long: Feature {
    package static let name =
      beginning + "_one"
    package static var initial: Values { Values() }
    package static let fields: [Field<Long>] = [
      .value("session", \.session), .value("position", \.position),
    ]
    package static func reduce(_ state: inout Values, _ action: Action) { state.session += 1 }
  }

  package enum AlsoLong: Feature {
    package static let name =
      beginning + "_two"
    package static var initial: Values { Values() }
    package static let fields: [Field<AlsoLong>] = [
      .value("session", \.session), .value("position", \.position),
    ]
    package static func reduce(_ state: inout Values, _ action: Action) { state.session += 1 }
  }

  package static let features: [any Feature.Type] = [
    Reserved.self, Cart.self, CartItems.self, History.self, Word.self, Long.self, AlsoLong.self,
  ]
}

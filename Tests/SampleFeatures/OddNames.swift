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

  /// A feature with the values.
  package protocol ValuesFeature: Feature where State == Values, Action == OddNames.Action {}

  /// A name that SQLite keeps for itself.
  package enum Reserved: ValuesFeature { package static let name = "sqlite_x" }

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

  package enum CartItems: ValuesFeature { package static let name = "cart_items" }

  /// The name of a table.
  package enum History: ValuesFeature { package static let name = "history" }

  /// A word of SQL.
  package enum Word: ValuesFeature { package static let name = "order" }

  /// A name of more than 63 bytes, after which PostgreSQL cuts names.
  package enum Long: ValuesFeature { package static let name = beginning + "_one" }

  package enum AlsoLong: ValuesFeature { package static let name = beginning + "_two" }

  package static let features: [any Feature.Type] = [
    Reserved.self, Cart.self, CartItems.self, History.self, Word.self, Long.self, AlsoLong.self,
  ]
}

extension OddNames.ValuesFeature {
  package static var initial: OddNames.Values { OddNames.Values() }
  package static var fields: [Field<Self>] {
    [.value("session", \.session), .value("position", \.position)]
  }
  package static func reduce(_ state: inout OddNames.Values, _ action: OddNames.Action) {
    state.session += 1
  }
}

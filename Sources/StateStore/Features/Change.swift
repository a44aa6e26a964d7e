import PrimereplFoundation

/// A change of the state in a form that can be stored: making it runs no code of a feature.
@usableFromInline enum Change: Equatable, Sendable {
  /// A field has another value, or all records of a list are replaced.
  case value(field: String, from: JSONValue, to: JSONValue)
  case record(list: String, id: Int, ListEdit<JSONValue>)
  case element(set: String, ListEdit<JSONValue>)
  /// The state of a feature with properties that no field shows, without its records.
  case state(feature: String, from: JSONValue, to: JSONValue)
  case request(feature: String, String, from: RequestState, to: RequestState)

  var inverse: Change {
    switch self {
    case .value(let field, let old, let new): .value(field: field, from: new, to: old)
    case .record(let list, let id, let edit): .record(list: list, id: id, edit.inverse)
    case .element(let set, let edit): .element(set: set, edit.inverse)
    case .state(let feature, let old, let new): .state(feature: feature, from: new, to: old)
    case .request(let feature, let name, let old, let new):
      .request(feature: feature, name, from: new, to: old)
    }
  }

  var path: String {
    switch self {
    case .value(let path, _, _), .record(let path, _, _), .element(let path, _): path
    case .state(let path, _, _): path
    case .request(let feature, let name, _, _): "\(feature).\(name)"
    }
  }

  var feature: Substring { path.prefix { $0 != "." } }
}

extension ListEdit<JSONValue> {
  var old: JSONValue? {
    switch self {
    case .inserted: nil
    case .removed(_, let record), .changed(_, let record, _): record
    }
  }

  var new: JSONValue? {
    switch self {
    case .removed: nil
    case .inserted(_, let record), .changed(_, _, let record): record
    }
  }

  fileprivate var savedMembers: String {
    "\"position\":\(position)" + (old.map { ",\"from\":\($0.savedJSON)" } ?? "")
      + (new.map { ",\"to\":\($0.savedJSON)" } ?? "")
  }
}

// MARK: - Stored form

extension JSONValue {
  /// The saved form of a value: of a secret, only whether there is one.
  init(saved value: StateValue) {
    self.init(value, secrets: { $0.isEmpty ? .text("") : .boolean(true) })
  }
}

extension Change: Codable {
  var savedJSON: String {
    switch self {
    case .value(let field, let old, let new):
      "{\"field\":\"\(field)\",\"from\":\(old.savedJSON),\"to\":\(new.savedJSON)}"
    case .record(let list, let id, let edit):
      "{\"list\":\"\(list)\",\"id\":\(id),\(edit.savedMembers)}"
    case .element(let set, let edit): "{\"set\":\"\(set)\",\(edit.savedMembers)}"
    case .state(let feature, let old, let new):
      "{\"state\":\"\(feature)\",\"from\":\(old.savedJSON),\"to\":\(new.savedJSON)}"
    case .request(let feature, let name, let old, let new):
      "{\"request\":\"\(feature).\(name)\",\"from\":\(old.stateValue.savedJSON),"
        + "\"to\":\(new.stateValue.savedJSON)}"
    }
  }

  /// Reads the form that `savedJSON` writes.
  init(_ json: JSONValue) throws {
    func text(_ name: String) -> String? {
      if case .text(let text) = json[name] { text } else { nil }
    }
    func integer(_ name: String) throws -> Int {
      guard case .integer(let integer) = json[name] else {
        throw DocumentError([AnyKey(name)], "it isn't an integer")
      }
      return integer
    }
    func value(_ name: String) throws -> JSONValue {
      guard let value = json[name] else { throw DocumentError([AnyKey(name)], "it is missing") }
      return value
    }
    func edit() throws -> ListEdit<JSONValue> {
      let position = try integer("position")
      if json["from"] == nil { return .inserted(position: position, try value("to")) }
      if json["to"] == nil { return .removed(position: position, try value("from")) }
      return .changed(position: position, old: try value("from"), new: try value("to"))
    }
    if let list = text("list") {
      self = .record(list: list, id: try integer("id"), try edit())
    } else if let set = text("set") {
      self = .element(set: set, try edit())
    } else if let feature = text("state") {
      self = .state(feature: feature, from: try value("from"), to: try value("to"))
    } else if let names = text("request")?.split(separator: ".", maxSplits: 1).map(String.init),
      names.count == 2
    {
      self = .request(
        feature: names[0], names[1], from: try value("from").decoded(),
        to: try value("to").decoded())
    } else if let field = text("field") {
      self = .value(field: field, from: try value("from"), to: try value("to"))
    } else {
      throw DocumentError([], "it isn't a change")
    }
  }

  @usableFromInline init(from decoder: any Decoder) throws {
    try self.init(JSONValue(from: decoder))
  }

  @usableFromInline func encode(to encoder: any Encoder) throws {
    try JSONValue(text: savedJSON).encode(to: encoder)
  }
}

/// Why a change can't be made.
typealias ChangeError = PlainError<Change>

extension ChangeError {
  static func changed(_ path: String) -> Self {
    Self("changed_since", "\(path) has been changed since: undo that first, or assign it.")
  }

  static func gone(_ path: String) -> Self {
    Self("changed_since", "\(path) isn't in the app any more.")
  }

  static var inseparable: Self {
    Self(
      "not_separable",
      "It was the step of a request, replaced all states, or changed a secret: only an undo of all that came later takes it back."
    )
  }
}

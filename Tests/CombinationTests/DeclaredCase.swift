import StateStore

/// A kind of field that a file of Lua can declare, with steps that change it: add every new type here.
enum DeclaredCase: String, CaseIterable, Sendable {
  case boolean, integer, number, string, secret, choice, date, time, range
  case optionalBoolean, optionalInteger, optionalNumber, optionalString, optionalSecret
  case optionalChoice, optionalDate, optionalTime, optionalRange, optionalRecord, record
  case list, newestFirst
  case byBoolean, byInteger, byNumber, byString, byChoice, byDate, byTime, byRange, byOptional
  case integers, strings
  case editable, editablePart, editableDate, editableRange

  /// The name of the feature.
  var name: String { "f_\(rawValue.lowercased())" }

  /// The type of the field `x`.
  var type: String {
    switch self {
    case .boolean: "false"
    case .integer: "0"
    case .number: "0.5"
    case .string: #""""#
    case .secret: "secret"
    case .choice: Self.size
    case .date: "date"
    case .time: "time '2026-11-26T10:15:00+01:00'"
    case .range: "integer { min = 1, max = 5, default = 3 }"
    case .optionalBoolean: #"optional "boolean""#
    case .optionalInteger: #"optional "integer""#
    case .optionalNumber: #"optional "number""#
    case .optionalString: #"optional "string""#
    case .optionalSecret: "optional(secret)"
    case .optionalDate: #"optional "date""#
    case .optionalTime: #"optional "time""#
    case .optionalRange: "optional(number { min = 0.5 })"
    case .optionalChoice: "optional(\(Self.size))"
    case .optionalRecord: "optional(\(Self.place))"
    case .record: Self.place
    case .list: "list { \(Self.parts) }"
    case .newestFirst: "list { newest_first = true, \(Self.parts) }"
    case .byBoolean: "list { k = false, sorted_by = 'k' }"
    case .byInteger: "list { k = 0, sorted_by = 'k' }"
    case .byNumber: "list { k = 0.5, sorted_by = 'k' }"
    case .byString: "list { k = '', sorted_by = 'k' }"
    case .byChoice: "list { k = \(Self.size), sorted_by = 'k' }"
    case .byDate: "list { k = date, sorted_by = 'k' }"
    case .byTime: "list { k = time, sorted_by = 'k' }"
    case .byRange: "list { k = number { max = 9 }, sorted_by = 'k' }"
    case .byOptional: "list { k = optional 'integer', sorted_by = 'k' }"
    case .integers: "set 'integer'"
    case .strings: "set 'string'"
    case .editable: "editable(\(Self.place))"
    case .editableDate: "editable(date)"
    case .editableRange: "editable(integer { max = 5 })"
    case .editablePart: "list { k = editable(0), size = editable(\(Self.size)) }"
    }
  }

  private static let size = #"enum { "small", "\u{e9}", "e\u{301}" }"#

  private static let place = """
    record {
      city = "Bonn", zip = 0, rate = 0.5, open = false, pin = secret, tag = optional "string", size = \(size),
      day = date, at = optional "time", level = integer { min = 1 },
      inner = record { n = 0, pin = secret },
    }
    """

  private static let parts = """
    name = "", price = 0, rate = 0.5, done = false, pin = secret, tag = optional "string", size = \(size),
    day = date "2026-11-26", at = time, level = number { max = -1.5 },
    place = \(place), other = optional(\(place))
    """

  /// The code of actions, which change the state `s`; `pin` is a secret.
  var steps: [String] {
    switch self {
    case .boolean, .optionalBoolean: values("true", "false")
    case .integer, .optionalInteger: values("math.maxinteger", "math.mininteger", "-7")
    case .number, .optionalNumber: values("-1e300", "0.1", "3")
    case .string, .optionalString: values(#""e\u{301}""#, #""\u{e9}""#, #""a\0\"\\\n🎉""#)
    case .secret, .optionalSecret: values("pin") + (isOptional ? ["s.x = nil"] : [])
    case .choice, .optionalChoice: values(#""e\u{301}""#, #""\u{e9}""#)
    case .date, .optionalDate: values("'0001-01-01'", "'2024-02-29'", "'9999-12-31'")
    case .time, .optionalTime:
      values("'2026-11-26T10:15:00.25+01:00'", "'0001-01-01T00:00:00Z'", "date.time(1e9)")
    case .range, .optionalRange: values("5", "1", "3")
    case .editableDate: values("'2024-02-29'")
    case .editableRange: values("-3")
    case .record, .editable:
      [
        "s.x.city = 'Köln' s.x.pin = pin s.x.inner.n = 3 s.x.inner.pin = pin s.x.tag = 'a'",
        "s.x = { city = 'K', pin = pin, inner = { n = 2, pin = s.x.pin } }",
        "s.x.tag = nil s.x.open = true",
        "s.x.day = '2024-02-29' s.x.at = '2026-11-26 10:15Z' s.x.level = 7", "s.x.at = nil",
      ]
    case .optionalRecord:
      ["s.x = { pin = pin, inner = { pin = pin } }", "s.x.rate = 2", "s.x = nil"]
    case .list, .newestFirst:
      [
        "for i = 1, 4 do s.x:append { name = 'n' .. i, pin = pin, place = { pin = pin } } end",
        "s.x:move(s.x[1].id, 4) s.x:move(s.x[3].id, 1)",
        "local a, z = s.x[1].id, s.x[4].id s.x:move(a, 4) s.x:move(z, 1)",
        #"s.x[2].name = "e\u{301}" s.x[2].other = { city = 'x' } s.x[1].place.inner.n = 9"#,
        #"s.x[2].name = "\u{e9}""#,
        "s.x[1].day = date.add(s.x[1].day, { months = 3 }) s.x[2].at = date.time(0.25) s.x[1].level = -9",
        "s.x:insert(2, { name = 'new', tag = 'tag', rate = 3 }) s.x:remove(s.x[1].id)",
        "local c = s.x[1] s.x:append { pin = c.pin, place = c.place, other = c.other }",
        "s.x:clear() s.x:append { done = true }",
      ]
    case .byBoolean: sorted("true", "false", "true")
    case .byInteger: sorted("3", "1", "2")
    case .byNumber: sorted("0.3", "0.1", "0.2")
    case .byString: sorted(#""\u{e9}""#, #""e\u{301}""#, #""f""#)
    case .byChoice: sorted(#""\u{e9}""#, #""e\u{301}""#, #""small""#)
    case .byDate: sorted("'2026-03-01'", "'2026-01-01'", "'2026-02-01'")
    case .byTime: sorted("date.time(3)", "date.time(1)", "date.time(2)")
    case .byRange: sorted("9", "-1", "0.5")
    case .byOptional: sorted("3", "nil", "2")
    case .integers:
      [
        "s.x:add(3) s.x:add(-1) s.x:add(math.maxinteger)", "s.x:remove(3) s.x:add(4)",
        "s.x:clear()",
      ]
    case .strings:
      [
        #"s.x:add("a") s.x:add("\u{e9}") s.x:add("e\u{301}") s.x:add("")"#,
        #"s.x:remove("\u{e9}") s.x:add("b\0\"")"#, "s.x:clear()",
      ]
    case .editablePart: ["for i = 1, 3 do s.x:append { k = i } end"]
    }
  }

  private var isOptional: Bool { rawValue.hasPrefix("optional") }

  private func values(_ values: String...) -> [String] {
    (values + (isOptional ? ["nil"] : [])).map { "s.x = \($0)" }
  }

  private func sorted(_ keys: String...) -> [String] {
    [
      keys.map { "s.x:append { k = \($0) }" }.joined(separator: " "),
      "s.x[1].k = \(keys[0]) s.x[2].k = \(keys[1]) s.x[1].k = \(keys[2])",
      "s.x[3].k = \(keys[1]) s.x[3].k = \(keys[1]) s.x[3].k = \(keys[0])",
      "s.x:remove(s.x[2].id) s.x:append { k = \(keys[1]) }",
    ]
  }

  /// Assignments by scripts of fields that are editable.
  var assignments: [String] {
    switch self {
    case .editable: ["\(name).x = { city = 'a', pin = 'pin-of-a-script' }", "\(name).x.zip = 7"]
    case .editableDate: ["\(name).x = '2026-11-26'"]
    case .editableRange: ["\(name).x = 5"]
    case .editablePart: ["\(name).x[2].k = 9", #"\#(name).x[1].size = "e\u{301}""#]
    default: []
    }
  }

  /// The declaration of a feature with the field `x`, the actions `step1`, `step2` and so on, and the request `again`, whose
  /// answer makes the first step again.
  var declaration: String {
    let actions = steps.enumerated().map { index, code in
      "step\(index + 1) = action { 'pin: secret', function(s, pin) \(code) end },"
    }
    return """
      feature "\(name)" {
        state = { x = \(type), y = 0 },
        derived = { copy = function(s) return s.y end },
        actions = { \(actions.joined(separator: "\n")) },
        requests = {
          again = request {
            'pin: secret', ask = function() return 1 end, done = function(s, n) local pin = s.y s.y = n end,
          },
        },
      }

      """
  }

  /// Scripts that do all of it, each with its own secrets.
  var scripts: [String] {
    steps.indices.map { "\(name).step\($0 + 1)('secret-\(rawValue)-\($0)')" }
      + ["\(name).again('secret-\(rawValue)')"] + assignments
  }
}

/// The kinds of declared types: a new one doesn't compile here, and then fails the test that each is in a case.
enum DeclaredKind: CaseIterable {
  case boolean, integer, number, string, secret, date, time, range, choice, optional, record
  case list, sortedList, set

  /// All kinds in a field.
  static func kinds(of kind: DeclaredFeature.Field.Kind) -> [DeclaredKind] {
    switch kind {
    case .value(let type, _): kinds(of: type)
    case .list(let type, _):
      [type.sortingPart == nil ? .list : .sortedList]
        + type.record.parts.flatMap { kinds(of: $0.type) }
    case .set(let type, _): [.set] + kinds(of: type)
    }
  }

  private static func kinds(of type: ValueType) -> [DeclaredKind] {
    switch type {
    // Only for parameters, results and values in Swift.
    case .any, .table, .list, .set: []
    case .boolean: [.boolean]
    case .integer: [.integer]
    case .number: [.number]
    case .string: [.string]
    case .secret: [.secret]
    case .date: [.date]
    case .time: [.time]
    case .range: [.range]
    case .oneOf: [.choice]
    case .optional(let type): [.optional] + kinds(of: type)
    case .record(let type): [.record] + type.parts.flatMap { kinds(of: $0.type) }
    }
  }
}

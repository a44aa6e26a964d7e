import StateStore

/// A kind of field that a file of Lua can declare, with steps that change it: add every new type here.
enum DeclaredCase: String, CaseIterable, Sendable {
  case boolean, integer, number, string, secret, choice, date, time, range, decimal, text
  case reference, references, map, mapOfIntegers, mapOfDates
  case optionalBoolean, optionalInteger, optionalNumber, optionalString, optionalSecret
  case optionalChoice, optionalDate, optionalTime, optionalRange, optionalDecimal, optionalText
  case optionalRecord, record
  case list, newestFirst
  case byBoolean, byInteger, byNumber, byString, byChoice, byDate, byTime, byRange, byDecimal,
    byText, byOptional
  case integers, strings
  case editable, editablePart, editableDate, editableRange, editableDecimal, editableText,
    editableReference

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
    case .decimal: "decimal(2)"
    case .text: "text { pattern = '%l*', max = 9, default = 'abc' }"
    case .reference: "reference { 'others', on_remove = 'clear' }"
    case .references:
      """
      list {
        name = "", price = decimal { places = 3, max = 9 }, up = reference { 'x', on_remove = 'clear' },
        owner = reference { 'x', on_remove = 'remove' }, other = reference 'x',
      }
      """
    case .map: "map('string', 'integer')"
    case .mapOfIntegers: "map('integer', \(Self.place))"
    case .mapOfDates: "map('date', decimal(2))"
    case .optionalBoolean: #"optional "boolean""#
    case .optionalInteger: #"optional "integer""#
    case .optionalNumber: #"optional "number""#
    case .optionalString: #"optional "string""#
    case .optionalSecret: "optional(secret)"
    case .optionalDate: #"optional "date""#
    case .optionalTime: #"optional "time""#
    case .optionalRange: "optional(number { min = 0.5 })"
    case .optionalDecimal: "optional(decimal(0))"
    case .optionalText: "optional(text { max = 20 })"
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
    case .byDecimal: "list { k = decimal(2), sorted_by = 'k' }"
    case .byText: "list { k = text { max = 3 }, sorted_by = 'k' }"
    case .byOptional: "list { k = optional 'integer', sorted_by = 'k' }"
    case .integers: "set 'integer'"
    case .strings: "set 'string'"
    case .editable: "editable(\(Self.place))"
    case .editableDate: "editable(date)"
    case .editableRange: "editable(integer { max = 5 })"
    case .editableDecimal: "editable(decimal { places = 2, min = 0 })"
    case .editableText: "editable(text { pattern = '%d+' })"
    case .editableReference: "list { k = 0, up = editable(reference 'x') }"
    case .editablePart: "list { k = editable(0), size = editable(\(Self.size)) }"
    }
  }

  /// The fields of the state: `x`, and others.
  var fields: String { "x = \(type), y = 0, others = list { name = '' }" }

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
    case .number, .optionalNumber: values("-1e300", "0.1", "3", "-0.0")
    case .string, .optionalString: values(#""e\u{301}""#, #""\u{e9}""#, #""a\0\"\\\n🎉""#)
    case .secret, .optionalSecret: values("pin") + (isOptional ? ["s.x = nil"] : [])
    case .choice, .optionalChoice: values(#""e\u{301}""#, #""\u{e9}""#)
    case .date, .optionalDate: values("'0001-01-01'", "'2024-02-29'", "'9999-12-31'")
    case .time, .optionalTime:
      values("'2026-11-26T10:15:00.25+01:00'", "'0001-01-01T00:00:00Z'", "date.time(1e9)")
    case .range, .optionalRange: values("5", "1", "3")
    case .decimal: values("0.1 + 0.2", "-19.99 * 3", "9e12")
    case .optionalDecimal: values("7", "-0.0")
    case .text: values("'xyz'", "''")
    case .optionalText: values(#""e\u{301}""#, #""\u{e9}""#)
    case .reference:
      [
        "for i = 1, 3 do s.others:append { name = 'n' .. i } end s.x = s.others[2]",
        "s.x = s.others[3].id",
        "s.others:remove(s.x.id)", "s.x = s.others[1] s.x.name = 'a'", "s.x = nil",
      ]
    case .references:
      [
        "for i = 1, 6 do s.x:append { name = 'n' .. i, price = i / 8, up = s.x[i - 1], owner = s.x[1] } end",
        "s.x[3].up = s.x[5] s.x[4].owner = s.x[4] s.x[5].other = s.x[5].id",
        "s.x:remove(s.x[5].id) s.x[2].owner = nil", "s.x:remove(s.x[1].id)",
        "local n = s.x:append { name = 'n' } n.up = n n.owner = n n.other = n", "s.x:clear()",
      ]
    case .map:
      [
        #"for i = 1, 4 do s.x['k' .. i] = i end s.x["\u{e9}"] = 1 s.x["e\u{301}"] = 2 s.x[''] = 3"#,
        #"s.x.k2 = 20 s.x.k3 = nil s.x["\u{e9}"] = nil s.x.none = nil"#, "s.x.k3 = 9 s.x.k1 = nil",
        "for k in pairs(s.x) do s.x[k] = nil end",
      ]
    case .mapOfIntegers:
      [
        "s.x[3] = { city = 'a', pin = pin } s.x[-1] = {} s.x[math.maxinteger] = {}",
        "s.x[3].city = 'b' s.x[-1] = { zip = 4, inner = { pin = pin } }", "s.x[3] = nil",
      ]
    case .mapOfDates:
      ["s.x['2026-11-26'] = 1.5 s.x['0001-01-01'] = 2", "s.x['2026-11-26'] = 0.1 + 0.2"]
    case .editableDate: values("'2024-02-29'")
    case .editableDecimal: values("19.99 * 3")
    case .editableText: values("'12'")
    case .editableReference: ["for i = 1, 3 do s.x:append { k = i, up = s.x[1] } end"]
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
    case .byDecimal: sorted("0.3", "0.1", "0.2")
    case .byText: sorted("'c'", "'a'", "'b'")
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
    case .editableDecimal: ["\(name).x = 0.1 + 0.2"]
    case .editableText: ["\(name).x = '345'"]
    case .editableReference: ["\(name).x[1].up = \(name).x[3]", "\(name).x[2].up = nil"]
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
        state = { \(fields) },
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
  case boolean, integer, number, string, secret, date, time, range, decimal, text, choice
  case reference, optional, record
  case list, sortedList, map, set

  /// All kinds in a field.
  static func kinds(of kind: DeclaredFeature.Field.Kind) -> [DeclaredKind] {
    switch kind {
    case .value(let type, _): kinds(of: type)
    case .list(let list):
      [list.isMap ? .map : list.sortingPart == nil ? .list : .sortedList]
        + list.record.parts.flatMap { kinds(of: $0.type) }
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
    case .decimal: [.decimal]
    case .text: [.text]
    case .reference: [.reference]
    case .oneOf: [.choice]
    case .optional(let type): [.optional] + kinds(of: type)
    case .record(let type): [.record] + type.parts.flatMap { kinds(of: $0.type) }
    }
  }
}

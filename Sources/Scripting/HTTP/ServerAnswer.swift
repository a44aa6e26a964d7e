import Lua
import PrimereplFoundation
import PrimereplLoading

/// The answer to a request: a server's reply, or the table that a stub returns.
struct ServerAnswer: Decodable {
  let status: Int
  /// By their names in lower case.
  let headers: [String: Data]
  private let content: Content

  private enum Content {
    case bytes(Data)
    /// A stub's value for `json`.
    case json(LuaValue)
  }

  init(_ reply: HTTPReply) {
    (status, headers, content) = (reply.status, reply.headers, .bytes(reply.body))
  }

  // MARK: - Stubs

  private enum CodingKeys: String, CodingKey, CaseIterable { case status, headers, body, json }

  /// A field of a stub's table, whatever its name.
  private struct Field: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Reads a table with a status, headers, and a body or a value for JSON; all can be left out.
  init(from decoder: any Decoder) throws {
    let names = CodingKeys.allCases.map(\.rawValue)
    for field in try decoder.container(keyedBy: Field.self).allKeys
    where !names.contains(field.stringValue) {
      throw Self.problem(
        "a response has no field '\(field.stringValue)'"
          + (field.stringValue.suggestion(of: names) ?? ""), decoder)
    }
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    status = try fields.decodeIfPresent(Int.self, forKey: .status) ?? 200
    let headers = try fields.decodeIfPresent([String: Data].self, forKey: .headers) ?? [:]
    self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
    let body = try fields.decodeIfPresent(Data.self, forKey: .body)
    guard fields.contains(.json) else {
      content = .bytes(body ?? Data())
      return
    }
    guard body == nil else {
      throw Self.problem("it has both body and json: leave one out", decoder)
    }
    content = .json(try fields.decode(UndecodedValue.self, forKey: .json).value)
  }

  private static func problem(_ text: String, _ decoder: any Decoder) -> DecodingError {
    .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: text))
  }

  /// The body; the value of a stub is written as JSON.
  func body(_ marks: JSONMarks) throws -> Data {
    switch content {
    case .bytes(let bytes): bytes
    case .json(let value): Data(try JSONWriter.text(of: value, isPretty: false, marks).utf8)
    }
  }
}

/// An answer as a table for Lua: the body as a string, whose memory counts as the script's, and `json` once it is read.
struct ResponseTable: LuaPushable {
  let answer: ServerAnswer
  let body: Data
  let metatables: Metatables

  struct Metatables {
    let response: LuaTable
    let headers: LuaTable
  }

  static let luaTypeName = "table"

  static let luaType = LuaValueType.table(name: "http.response", fields: fields)

  private static let fields = [
    LuaParameter(name: "status", type: Int.luaType, help: "The status, such as 200 or 404."),
    LuaParameter(
      name: "headers", type: [String: String].luaType,
      help: "The headers; names in lower case, and found in any. Cookies are on lines of their own."
    ),
    LuaParameter(name: "body", type: String.luaType, help: "The body, as bytes."),
    LuaParameter(
      name: json, type: LuaValue.luaType,
      help: "The body as json.decode reads it; an error if it isn't JSON."),
  ]

  private static let json = "json"

  func push(to stack: LuaStack) throws(LuaError) {
    try stack.checkRoom(for: body.count)
    try stack.pushTable(fieldCount: 4) { table throws(LuaError) in
      try table.setMetatable(metatables.response)
      try table.set("status", to: answer.status)
      try table.set("headers", to: Headers(values: answer.headers, metatable: metatables.headers))
      try table.set("body", to: body)
    }
  }

  /// The values of headers, whose names are found in any case (RFC 9110, section 5.1).
  private struct Headers: LuaPushable {
    let values: [String: Data]
    let metatable: LuaTable

    static let luaTypeName = "table"

    func push(to stack: LuaStack) throws(LuaError) {
      try stack.pushTable(fieldCount: values.count) { table throws(LuaError) in
        try table.setMetatable(metatable)
        for (name, value) in values { try table.set(name, to: value) }
      }
    }
  }

  static func metatables(in state: LuaState, _ marks: JSONMarks) throws(LuaError) -> Metatables {
    let find = try state.function("headers") {
      (headers: LuaTable, key: LuaValue) throws -> LuaValue in
      guard case .string(let name) = key else { return .nil }
      return try headers.rawGet(name.description.lowercased())
    }
    let read = try state.function("response") { (response: LuaTable, key: LuaValue) in
      try field(key, of: response, marks)
    }
    return Metatables(
      response: try state.makeTable(LuaRecord(["__name": "response", "__index": read])),
      headers: try state.makeTable(LuaRecord(["__index": find])))
  }

  /// The value of a field that a response doesn't have yet.
  ///
  /// - Throws: ``JSONError`` if the body isn't JSON; `unknown_field` for a name other than `json`.
  private static func field(
    _ key: LuaValue, of response: LuaTable, _ marks: JSONMarks
  ) throws -> LuaValue {
    guard case .string(let name) = key else { return .nil }
    guard name.text == json else {
      throw LuaError.unknownField(
        name.bytes, of: "the response", known: fields.map(\.name))
    }
    let body = try response.rawGet("body", as: [UInt8].self)
    let value = try marks.value(ofJSON: body, named: "the body of the response")
    try response.rawSet(json, to: value)
    return value
  }
}

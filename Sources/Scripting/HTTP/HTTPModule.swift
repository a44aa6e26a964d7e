import Lua
import PrimereplFoundation
import PrimereplLoading
import StateStore

/// The functions of the module `http`; scenarios can replace each by a stub.
enum HTTPFunction: String, CaseIterable {
  case get
  case post
  case request

  static let module = "http"

  var name: String { "\(Self.module).\(rawValue)" }
}

extension LuaModule {
  /// The module `http`: requests to web servers.
  ///
  /// It is valid only for the state. The documents of the environment know whether the network may be used.
  static func http(
    for state: LuaState, _ environment: ScriptEnvironment, _ marks: JSONMarks
  ) -> LuaModule {
    LuaModule(HTTPFunction.module, help: "Requests to web servers.") { [weak state] module in
      guard let state else { return }
      let client = HTTPClient(
        environment, marks, responses: try ResponseTable.metatables(in: state, marks))
      module.asyncFunction(
        HTTPFunction.get.rawValue, "url", "options",
        help: "Gets an address; returns a response with status, headers, body, and json.",
        example: "print(http.get(\"https://example.com\").status)"
      ) { (url: String, options: HTTPOptions?) throws -> () async throws -> ResponseTable in
        let call = try client.call(get: url, options)
        return { try await client.response(to: call) }
      }
      module.asyncFunction(
        HTTPFunction.post.rawValue, "url", "body", "options",
        help: "Posts a string, a table as JSON, or nil and the option form; returns a response.",
        example: "http.post(\"https://example.com/todos\", { text = \"milk\" })"
      ) {
        (url: String, body: HTTPBody?, options: HTTPPostOptions?) throws
          -> () async throws -> ResponseTable in
        let call = try client.call(post: url, body, options ?? HTTPPostOptions())
        return { try await client.response(to: call) }
      }
      module.asyncFunction(
        HTTPFunction.request.rawValue, "options",
        help: "Sends a request with any method; returns a response.",
        example: "http.request{ url = \"https://example.com/todos/1\", method = \"DELETE\" }"
      ) { (options: HTTPRequestOptions) throws -> () async throws -> ResponseTable in
        let call = try client.call(options)
        return { try await client.response(to: call) }
      }
    }
  }
}

// MARK: - Arguments

private struct HTTPOptions: LuaOptions {
  var query: LuaTable?
  var headers: [String: String]?
  var timeout: Double?

  static let options: [LuaOption<HTTPOptions>] = [
    .option("query", \.query, help: queryHelp),
    .option("headers", \.headers, help: headersHelp),
    .option("timeout", \.timeout, help: timeoutHelp),
  ]

  fileprivate static let queryHelp =
    "Values by their names, which are added to the address; a list repeats the name."
  fileprivate static let headersHelp = "The values of headers by their names."
  fileprivate static let timeoutHelp = "The time limit in seconds: 30, unless it is given."
}

private struct HTTPPostOptions: LuaOptions {
  var form: LuaTable?
  var others = HTTPOptions()

  static let options: [LuaOption<HTTPPostOptions>] = [
    .option("form", \.form, help: formHelp),
    .option("query", \.others.query, help: HTTPOptions.queryHelp),
    .option("headers", \.others.headers, help: HTTPOptions.headersHelp),
    .option("timeout", \.others.timeout, help: HTTPOptions.timeoutHelp),
  ]

  fileprivate static let formHelp =
    "Values by their names, as a form sends them; in place of a body."
}

private struct HTTPRequestOptions: LuaOptions {
  var url = ""
  var method: String?
  var body: HTTPBody?
  var form: LuaTable?
  var others = HTTPOptions()

  static let options: [LuaOption<HTTPRequestOptions>] = [
    .required("url", \.url, help: "The address."),
    .option("method", \.method, help: "GET, or POST with a form, unless it is given."),
    .option("body", \.body, help: "A string, or a table, which is sent as JSON."),
    .option("form", \.form, help: HTTPPostOptions.formHelp),
    .option("query", \.others.query, help: HTTPOptions.queryHelp),
    .option("headers", \.others.headers, help: HTTPOptions.headersHelp),
    .option("timeout", \.others.timeout, help: HTTPOptions.timeoutHelp),
  ]
}

/// The body of a request: a string of bytes, or a value to be sent as JSON.
private enum HTTPBody: LuaReadable {
  case bytes([UInt8])
  case json(LuaValue)

  static let luaTypeName = "string or table"
  static let luaType = LuaValueType.union(name: luaTypeName, [String.luaType, LuaTable.luaType])

  static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    switch try LuaValue.read(from: stack, at: index) {
    case .string(let string): return .bytes(string.bytes)
    case .table, .userdata: return .json(try JSONArgument.read(from: stack, at: index).value)
    case .nil, .boolean, .integer, .number, .function, .coroutine:
      throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack)
    }
  }
}

// MARK: - Calls

/// A call of one of the functions, whose arguments have been checked.
private struct HTTPCall {
  let function: HTTPFunction
  let request: WebRequest
  let timeout: Duration?
  /// The arguments that a stub gets: the address, the body of a POST, and the options.
  let arguments: [StateValue]
}

/// Sends the requests of calls, or asks the stubs.
private struct HTTPClient {
  private let documents: DocumentAccess
  private let stubs: any ServiceStubs
  private let marks: JSONMarks
  private let metatables: ResponseTable.Metatables

  init(
    _ environment: ScriptEnvironment, _ marks: JSONMarks,
    responses metatables: ResponseTable.Metatables
  ) {
    (documents, stubs) = (environment.documents, environment.stubs)
    (self.marks, self.metatables) = (marks, metatables)
  }

  func call(get url: String, _ options: HTTPOptions?) throws -> HTTPCall {
    try call(.get, url, method: "GET", nil, options ?? HTTPOptions()) {
      [.text(url)] + (options == nil ? [] : [.record($0)])
    }
  }

  func call(post url: String, _ body: HTTPBody?, _ options: HTTPPostOptions) throws -> HTTPCall {
    guard let content = try content(of: body, options.form) else {
      throw LuaError(.badArgument, "http.post needs a body, or the option form")
    }
    return try call(.post, url, method: "POST", content, options.others) {
      [.text(url), content.isForm ? .none : content.argument]
        + (content.isForm ? [.record([content.member] + $0)] : $0.isEmpty ? [] : [.record($0)])
    }
  }

  func call(_ options: HTTPRequestOptions) throws -> HTTPCall {
    let content = try content(of: options.body, options.form)
    let method = options.method ?? (options.form == nil ? "GET" : "POST")
    return try call(.request, options.url, method: method, content, options.others) {
      let members =
        [.init(name: "method", value: .text(method.uppercased()))]
        + (content.map { [$0.member] } ?? []) + $0
      return [.text(options.url), .record(members)]
    }
  }

  private func call(
    _ function: HTTPFunction, _ url: String, method: String, _ content: Content?,
    _ options: HTTPOptions, arguments: ([StateValue.Member]) -> [StateValue]
  ) throws -> HTTPCall {
    let address = try options.query.map { try HTTPParameters($0, of: "query").address(url) } ?? url
    let request = try WebRequest(
      address, method: method, headers: options.headers ?? [:], body: content?.bytes,
      contentType: content?.type)
    let timeout = try timeout(options.timeout, for: function)
    // Only stubs get them.
    let arguments = stubs is NoStubs ? [] : arguments(try members(of: options))
    return HTTPCall(function: function, request: request, timeout: timeout, arguments: arguments)
  }

  private func members(of options: HTTPOptions) throws -> [StateValue.Member] {
    var members: [StateValue.Member] = []
    if let headers = options.headers {
      let sorted = headers.sorted { $0.key < $1.key }
      members.append(
        .init(
          name: "headers",
          value: .record(sorted.map { .init(name: $0.key, value: .text($0.value)) })))
    }
    if let query = options.query {
      members.append(.init(name: "query", value: try JSONWriter.value(of: .table(query), marks)))
    }
    if let timeout = options.timeout {
      members.append(.init(name: "timeout", value: .number(timeout)))
    }
    return members
  }

  // MARK: - Bodies

  /// A body to send, and what a stub gets for it.
  private struct Content {
    let bytes: Data
    let type: String
    var argument = StateValue.none
    var isForm = false

    var member: StateValue.Member { .init(name: isForm ? "form" : "body", value: argument) }
  }

  private func content(of body: HTTPBody?, _ form: LuaTable?) throws -> Content? {
    guard let form else { return try body.map(content) }
    guard body == nil else {
      throw LuaError(.badArgument, "a request has either a body or a form: leave one out")
    }
    let text = try HTTPParameters(form, of: "form").form
    return Content(
      bytes: Data(text.utf8), type: HTTPParameters.formType,
      argument: stubs is NoStubs ? .none : try JSONWriter.value(of: .table(form), marks),
      isForm: true)
  }

  private func content(of body: HTTPBody) throws -> Content {
    switch body {
    case .json(let value):
      let value = try JSONWriter.value(of: value, marks)
      return Content(bytes: Data(value.json.utf8), type: "application/json", argument: value)
    case .bytes(let bytes):
      guard let text = String(validating: bytes, as: UTF8.self) else {
        // Stubs get texts.
        guard stubs is NoStubs else { throw StubError.binaryBody }
        return Content(bytes: Data(bytes), type: "application/octet-stream")
      }
      return Content(
        bytes: Data(bytes), type: "text/plain; charset=utf-8",
        argument: stubs is NoStubs ? .none : .text(text))
    }
  }

  private func timeout(_ seconds: Double?, for function: HTTPFunction) throws -> Duration? {
    guard let seconds else { return nil }
    guard seconds > 0, seconds <= 86_400 else {
      throw LuaError(
        .numberOutOfRange,
        "\(function.name) needs a timeout above 0, and at most 86400 seconds, not \(seconds)")
    }
    return .seconds(seconds)
  }

  /// Sends the request of a call, unless it has a stub, and waits for the response.
  func response(to call: HTTPCall) async throws -> ResponseTable {
    let answer = try await stubs.answer(to: call.function.name, with: call.arguments) {
      ServerAnswer(try await documents.reply(to: call.request, timeout: call.timeout))
    }
    return ResponseTable(answer: answer, body: try answer.body(marks), metatables: metatables)
  }
}

extension StubError {
  fileprivate static var binaryBody: Self {
    Self("bad_body", "A stub can't get a body that isn't valid UTF-8: send a text in scenarios.")
  }
}

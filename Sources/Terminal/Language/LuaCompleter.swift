import Lua
import PrimereplLineEditing
import PrimereplPlatform
import Scripting
import StateStore

/// Finds completions for the end of a Lua text, without running any of a script's code.
struct LuaCompleter {
  private let state: LuaState
  private let schema: StoreSchema
  private let source: SourceTokens
  private let finder: LuaSubjectFinder
  /// The name that is being typed; empty if none is.
  private let word: [UInt8]
  private let typed: TypedText
  private let store: Store
  /// The index of the first token that isn't a part of what is completed.
  private let end: Int
  private let following: ArraySlice<UInt8>

  /// Makes a completer of the text before a cursor, and the text after it.
  init(
    _ text: ArraySlice<UInt8>, following: ArraySlice<UInt8>, in state: LuaState, _ app: ScriptedApp
  ) {
    (self.state, self.following) = (state, following)
    (store, schema) = (app.store, app.store.schema)
    source = SourceTokens(Array(text))
    if let last = source.tokens.last, last.kind == .word || source.openString != nil,
      last.range.upperBound == source.bytes.count
    {
      end = source.tokens.count - 1
      word = last.kind == .word ? Array(source.bytes(of: last)) : []
    } else {
      (end, word) = (source.tokens.count, [])
    }
    typed = TypedText(word)
    // The variables before an expression decide its value.
    let start = source.isMember(end) ? source.expressionStart(endingAt: end - 2) : nil
    finder = LuaSubjectFinder(
      state: state, modules: app.modules, scopes: LuaScopes(source, before: start ?? end))
  }

  /// The candidates; the range is one of the text before the cursor.
  func completions() throws(LuaError) -> Completions {
    let cursor = source.bytes.count
    guard !source.endsInComment else { return Completions(replacing: cursor..<cursor, with: []) }
    if let string = source.openString { return try completions(in: string) }
    let range = cursor - word.count..<cursor
    if let ids = try recordIDs() { return ids }
    if source.tokens.last?.kind == .number, source.tokens.last?.range.upperBound == cursor {
      return Completions(replacing: range, with: [])
    }
    let isMethod = source.isSingle(end - 1, ":")
    if isMethod || source.isSingle(end - 1, ".") {
      let candidates = try members(ofExpressionEndingAt: end - 2, methodsOnly: isMethod)
      return Completions(replacing: range, with: candidates)
    }
    return Completions(replacing: range, with: try names())
  }

  // MARK: - Members

  private func members(
    ofExpressionEndingAt index: Int, methodsOnly: Bool
  ) throws(LuaError) -> [Completions.Candidate] {
    guard let expression = source.expression(endingAt: index),
      let subject = try finder.subject(of: expression)
    else { return [] }
    let names = try finder.names(of: subject, methodsOnly: methodsOnly)
    return try candidates(
      for: names.compactMap(Self.shownName), of: subject, asMethods: methodsOnly)
  }

  /// A name that can be typed; nil for other keys, which may even contain control characters.
  private static func shownName(_ name: [UInt8]) -> String? {
    name.count <= longestName && LuaTokens.isName(name)
      ? String(decoding: name, as: UTF8.self) : nil
  }

  /// The length of the longest name that is offered; a longer one would fill the screen.
  private static let longestName = 200

  /// Details are only looked up for as many candidates as can be compared: they are shown for a single one.
  private static let detailLimit = 40

  private func candidates(
    for names: [String], of subject: LuaSubject?, asMethods: Bool = false
  ) throws(LuaError) -> [Completions.Candidate] {
    let sorted = typed.best(of: Array(Set(names))) { $0 }.sorted { left, right in
      let (isLeftPrivate, isRightPrivate) = (left.hasPrefix("_"), right.hasPrefix("_"))
      return isLeftPrivate == isRightPrivate ? left < right : isRightPrivate
    }
    guard sorted.count <= Self.detailLimit else { return sorted.map { .init($0) } }
    return try sorted.map { name throws(LuaError) in
      let (kind, detail) = try finder.description(of: name, in: subject, asMethod: asMethods)
      return Completions.Candidate(name, kind: kind, detail: detail)
    }
  }

  // MARK: - Names

  private func names() throws(LuaError) -> [Completions.Candidate] {
    let names = try variableNames()
    let fields = fieldNames
    let options = fields.map {
      Completions.Candidate($0, kind: "option", detail: StyledText("\($0) ="))
    }
    return typed.best(of: options + names) { $0.text }
  }

  private func variableNames() throws(LuaError) -> [Completions.Candidate] {
    if source.isWord(end - 1, "goto") || source.isWord(end - 1, "for") { return [] }
    if source.isWord(end - 1, "local") {
      return "function".utf8.starts(with: word) ? [.init("function")] : []
    }
    var names = finder.scopes.names + finder.scopes.globals.map(\.name)
    names += try finder.names(of: .value(.table(state.globals()), path: nil))
      .compactMap(Self.shownName)
    if !word.isEmpty { names += LuaTokens.keywords }
    return try candidates(for: names, of: nil)
  }

  /// The names of the fields that the table being typed can have, if it is an argument of a function that takes some.
  private var fieldNames: [String] {
    guard let call = CallSite(ofTableIn: source, before: end) else { return [] }
    do throws(LuaError) {
      guard let signature = try finder.signature(of: call.callee) else { return [] }
      let given = source.fieldNames(ofTableAt: call.table ?? end, before: end)
      return typed.best(of: signature.fieldNames(at: call.argument)) { $0 }.filter {
        !given.contains($0)
      }
    } catch {
      // Memory is short, so there is nothing to offer.
      return []
    }
  }

  // MARK: - Arguments

  /// The ids of the records that a function's argument `id` can name; nil if the cursor isn't there, or there are none.
  private func recordIDs() throws(LuaError) -> Completions? {
    let cursor = source.bytes.count
    let isInNumber =
      source.tokens.last?.kind == .number && source.tokens.last?.range.upperBound == cursor
    let start = isInNumber ? source.tokens.count - 1 : end
    guard word.isEmpty, source.isSymbol(start - 1, "(") || source.isSymbol(start - 1, ","),
      let call = CallSite(atEndOf: LuaBlocks(source, before: start)),
      let signature = try finder.signature(of: call.callee),
      signature.parameter(at: call.argument)?.name == "id",
      let owner = signature.name.lastIndex(where: { $0 == "." || $0 == ":" })
    else { return nil }
    let path = signature.name[..<owner]
    let lists = schema.fields.filter {
      $0.isList && ($0.path == path || $0.path.hasPrefix(path + "."))
    }
    guard lists.count == 1, let records = lists.first?.elements(in: store.states) else {
      return nil
    }
    let typed = isInNumber ? source.tokens.last.map { source.bytes(of: $0) } ?? [] : []
    let candidates = records.prefix(Self.recordLimit).compactMap(\.recordCandidate).filter {
      $0.text.utf8.starts(with: typed)
    }
    return candidates.isEmpty
      ? nil : Completions(replacing: cursor - typed.count..<cursor, with: candidates)
  }

  private static let recordLimit = 1_000

  // MARK: - Strings

  private func completions(in string: SourceTokens.Token) throws(LuaError) -> Completions {
    let literal = source.bytes(of: string)
    let none = Completions(replacing: source.bytes.count..<source.bytes.count, with: [])
    guard let quote = literal.first, let typed = LuaStringLiteral.contents(of: literal) else {
      return none
    }
    let range = string.range.lowerBound + 1..<source.bytes.count
    if source.isSymbol(end - 1, "["), let table = source.expression(endingAt: end - 2) {
      return Completions(
        replacing: range, with: try keys(of: table, beginningWith: typed, quote: quote))
    }
    // The string is the value of an option in a table, or an argument itself.
    let option = source.isSingle(end - 1, "=") ? source.name(end - 2) : nil
    let site =
      option == nil
      ? CallSite(ofStringIn: source, at: end) : CallSite(ofTableIn: source, before: end - 2)
    guard let call = site, let signature = try finder.signature(of: call.callee) else {
      return none
    }
    let values =
      option.map { signature.values(of: $0, at: call.argument) }
      ?? signature.values(at: call.argument)
    if !values.isEmpty {
      let close = following.first == quote ? "" : String(decoding: [quote], as: UTF8.self)
      return Completions(
        replacing: range,
        with: TypedText(typed).best(of: values) { $0 }.map {
          .init($0 + close, label: $0, kind: "value")
        })
    }
    guard option == nil else { return none }
    let text = String(decoding: typed, as: UTF8.self)
    switch signature.textKind(at: call.argument) {
    case .statePath:
      return Completions(replacing: range, with: schema.pathCandidates(for: text))
    case .documentedName:
      return Completions(
        replacing: range, with: finder.modules.documentedNames(from: TypedText(typed), text))
    case .file:
      return FileCompleter.completions(for: text, typedAs: literal.dropFirst(), quote: quote)
    case nil: return none
    }
  }

  private func keys(
    of table: LuaExpression, beginningWith typed: [UInt8], quote: UInt8
  ) throws(LuaError) -> [Completions.Candidate] {
    guard let subject = try finder.subject(of: table) else { return [] }
    let close = String(decoding: [quote], as: UTF8.self) + "]"
    let isClosed = following.first == quote
    let keys = try finder.names(of: subject)
    let texts = Set(
      keys.filter { $0.count <= Self.longestName }.map {
        LuaStringLiteral.escaping($0, quote: quote)
      })
    return TypedText(typed).best(of: Array(texts)) { $0 }.sorted().map {
      .init(isClosed ? $0 : $0 + close, label: $0)
    }
  }
}

extension StateValue {
  /// The id of a record, with its first text; nil for a value without an id.
  fileprivate var recordCandidate: Completions.Candidate? {
    guard case .record(let members) = self,
      case .integer(let id)? = members.first(where: { $0.name == "id" })?.value
    else { return nil }
    let text = members.lazy.compactMap { member in
      if case .text(let text) = member.value { text } else { nil }
    }.first
    return .init("\(id)", kind: text?.printable(limit: 40) ?? "")
  }
}

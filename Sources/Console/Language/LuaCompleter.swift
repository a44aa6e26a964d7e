import LineEditing
import Lua
import Platform
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
  /// The index of the first token that isn't a part of what is completed.
  private let end: Int
  /// The first bytes after the cursor.
  private let following: ArraySlice<UInt8>

  /// Makes a completer of the text before a cursor, and the text after it.
  init(
    _ text: ArraySlice<UInt8>, following: ArraySlice<UInt8>, in state: LuaState, _ app: ScriptedApp
  ) {
    (self.state, self.following, schema) = (state, following, app.store.schema)
    source = SourceTokens(Array(text))
    if let last = source.tokens.last, last.kind == .word || source.openString != nil,
      last.range.upperBound == source.bytes.count
    {
      end = source.tokens.count - 1
      word = last.kind == .word ? Array(source.bytes(of: last)) : []
    } else {
      (end, word) = (source.tokens.count, [])
    }
    // The variables before an expression decide its value.
    let isPart = source.isSingle(end - 1, ".") || source.isSingle(end - 1, ":")
    let start = isPart ? source.expressionStart(endingAt: end - 2) : nil
    finder = LuaSubjectFinder(
      state: state, modules: app.modules, source: source,
      scopes: LuaScopes(source, before: start ?? end))
  }

  /// The candidates; the range is one of the text before the cursor.
  func completions() throws(LuaError) -> Completions {
    let cursor = source.bytes.count
    guard !source.endsInComment else { return Completions(replacing: cursor..<cursor, with: []) }
    if let string = source.openString { return try completions(in: string) }
    let range = cursor - word.count..<cursor
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
    let names = try MemberNames(finder).names(
      of: subject, beginningWith: word, methodsOnly: methodsOnly)
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
    let sorted = Set(names).sorted { left, right in
      let (isLeftPrivate, isRightPrivate) = (left.hasPrefix("_"), right.hasPrefix("_"))
      return isLeftPrivate == isRightPrivate ? left < right : isRightPrivate
    }
    guard sorted.count <= Self.detailLimit else { return sorted.map { .init($0) } }
    let describer = SubjectDescriber(finder)
    return try sorted.map { name throws(LuaError) in
      Completions.Candidate(
        name,
        detail: try describer.detail(of: name, in: subject, asMethod: asMethods) ?? StyledText())
    }
  }

  // MARK: - Names

  private func names() throws(LuaError) -> [Completions.Candidate] {
    let names = try variableNames()
    let fields = fieldNames
    return fields.map { .init($0, detail: StyledText("\($0) =")) } + names
  }

  private func variableNames() throws(LuaError) -> [Completions.Candidate] {
    if source.isWord(end - 1, "goto") || source.isWord(end - 1, "for") { return [] }
    if source.isWord(end - 1, "local") {
      return "function".utf8.starts(with: word) ? [.init("function")] : []
    }
    var names = (finder.scopes.names + finder.scopes.globals.map(\.name)).filter {
      $0.utf8.starts(with: word)
    }
    names += try MemberNames(finder).names(
      of: .value(.table(state.globals()), path: nil), beginningWith: word, methodsOnly: false
    ).compactMap(Self.shownName)
    if !word.isEmpty { names += LuaTokens.keywords.filter { $0.utf8.starts(with: word) } }
    return try candidates(for: names, of: nil)
  }

  /// The names of the fields that the table being typed can have, if it is an argument of a function that takes some.
  private var fieldNames: [String] {
    guard let call = CallSite(ofTableIn: source, before: end) else { return [] }
    do throws(LuaError) {
      guard let signature = try SubjectDescriber(finder).signature(of: call.callee) else {
        return []
      }
      let given = source.fieldNames(ofTableAt: call.table ?? end, before: end)
      return signature.fieldNames(at: call.argument).filter {
        $0.utf8.starts(with: word) && !given.contains($0)
      }
    } catch {
      // Memory is short, so there is nothing to offer.
      return []
    }
  }

  // MARK: - Strings

  /// The candidates in a string that is being typed.
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
    guard let call = CallSite(ofStringIn: source, at: end),
      let signature = try SubjectDescriber(finder).signature(of: call.callee)
    else { return none }
    switch signature.textKind(at: call.argument) {
    case .statePath:
      let text = String(decoding: typed, as: UTF8.self)
      return Completions(replacing: range, with: schema.pathCandidates(for: text))
    case .file:
      return FileCompleter.completions(
        for: String(decoding: typed, as: UTF8.self), typedAs: literal.dropFirst(), quote: quote)
    case nil: return none
    }
  }

  private func keys(
    of table: LuaExpression, beginningWith typed: [UInt8], quote: UInt8
  ) throws(LuaError) -> [Completions.Candidate] {
    guard let subject = try finder.subject(of: table) else { return [] }
    let close = String(decoding: [quote], as: UTF8.self) + "]"
    let isClosed = following.first == quote
    let keys = try MemberNames(finder).names(
      of: subject, beginningWith: typed, methodsOnly: false)
    let texts = Set(
      keys.filter { $0.count <= Self.longestName }.map {
        LuaStringLiteral.escaping($0, quote: quote)
      })
    return texts.sorted().map { .init(isClosed ? $0 : $0 + close, label: $0) }
  }
}

/// The names of the members of values, as bytes: keys of tables can be any.
struct MemberNames {
  private let finder: LuaSubjectFinder

  init(_ finder: LuaSubjectFinder) { self.finder = finder }

  /// A table with more entries than this is looked at in part.
  private static let entryLimit = 200_000

  /// The names that begin with bytes, in any order: all, or those of functions that take the value with a colon.
  func names(
    of subject: LuaSubject, beginningWith prefix: [UInt8], methodsOnly: Bool
  ) throws(LuaError) -> [[UInt8]] {
    switch subject {
    case .value(let value, _):
      var names: [[UInt8]] = []
      for table in try tables(of: value) {
        names += try keys(of: table, beginningWith: prefix, functionsOnly: methodsOnly)
      }
      return names
    case .string:
      guard case .table(let library) = try finder.state.globals().rawGet("string") else {
        return []
      }
      return try keys(of: library, beginningWith: prefix, functionsOnly: methodsOnly)
    // The functions of a module don't take it.
    case .module(let module):
      return methodsOnly ? [] : matching(module.documentation.map(\.name), prefix)
    case .object(let type):
      let members = type.luaMembers.filter { member in
        if case .function = member.kind { true } else { !methodsOnly }
      }
      return matching(members.map(\.name), prefix)
    case .file: return matching(LuaLibrarySignatures.fileMethods, prefix)
    case .fields(let names): return methodsOnly ? [] : matching(names, prefix)
    case .app: return methodsOnly ? [] : matching(finder.modules.map(\.name), prefix)
    case .array, .function: return []
    }
  }

  private func matching(_ names: [String], _ prefix: [UInt8]) -> [[UInt8]] {
    names.map { Array($0.utf8) }.filter { $0.starts(with: prefix) }
  }

  private func tables(of value: LuaValue) throws(LuaError) -> [LuaTable] {
    switch value {
    case .table(let table): return try finder.tables(from: table)
    case .userdata(let object):
      guard case .table(let index)? = try object.metatable()?.rawGet("__index") else { return [] }
      return try finder.tables(from: index)
    default: return []
    }
  }

  private func keys(
    of table: LuaTable, beginningWith prefix: [UInt8], functionsOnly: Bool
  ) throws(LuaError) -> [[UInt8]] {
    var keys: [[UInt8]] = []
    try table.forEachStringKey(atMost: Self.entryLimit) { key, type in
      guard key.count >= prefix.count, !functionsOnly || type == .function,
        key.starts(with: prefix)
      else { return }
      keys.append(Array(key))
    }
    return keys
  }
}

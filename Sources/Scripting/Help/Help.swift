package import Lua
import PrimereplPlatform

/// `help()`: describes modules, functions and objects with the texts they were registered with, and searches them.
package final class Help {
  package internal(set) var reference: Reference

  /// The number of columns that texts are wrapped to.
  package var width: () -> Int = { 80 }

  private weak let state: LuaState?

  /// Adds `help` to a state in which the modules are global variables.
  init(_ reference: Reference, in state: LuaState) throws(LuaError) {
    self.reference = reference
    self.state = state
    let function = try state.function("help") { [weak state] (subject: LuaValue) in
      let text = try self.text(on: subject)
      // Finalizers may still call it while the state closes; then it prints nothing.
      try state?.global("print", as: LuaFunction.self).call(text)
    }
    try state.setGlobal("help", to: function)
  }

  /// Usage, shown when only `help` is typed.
  package var usage: String {
    let (module, function) = examples
    return layout.lines(
      "help() lists the modules, help(\(module)) describes one, help(\(function)) describes a function, "
        + "and help(\"text\") searches for a text."
    ).joined(separator: "\n")
  }

  /// The text that `help(subject)` prints.
  package func text(on subject: LuaValue) throws(LuaError) -> String {
    switch subject {
    case .nil: return overview
    case .string(let text): return try self.text(onName: text)
    case .table(let table):
      let name = try table.moduleName()
      if let found = reference.modules.first(where: { $0.name == name }) { return text(on: found) }
    case .function(let function):
      if let text = try text(on: function) { return text }
    case .userdata(let object):
      if let found = reference.classes.first(where: { $0.contains(object) }) {
        return text(on: found)
      }
    case .boolean, .integer, .number, .coroutine: break
    }
    return try global(subject) ?? "There is no help on that. \(Self.advice)"
  }

  private static let advice =
    "help() lists the modules; Lua's own functions are in https://www.lua.org/manual/5.4/."

  // MARK: - Texts

  private var layout: TextLayout { TextLayout(width: width()) }

  private var overview: String {
    let layout = layout
    let (module, function) = examples
    let globals = Reference.globals.words.map(\.name).joined(separator: ", ")
    let lines =
      layout.columns(reference.modules.map { ($0.name, $0.help) }).map { String($0.dropFirst(2)) }
      + [""] + layout.lines("Other global variables: \(globals).")
      + layout.lines(
        "help(\(module)) lists a module, help(\(function)) describes a function, and "
          + "help(\"text\") searches for a text.")
    return lines.joined(separator: "\n")
  }

  /// The first module that has a function, and the function, as examples.
  private var examples: (module: String, function: String) {
    for module in reference.modules {
      if let member = module.documentation.first(where: \.isFunction) {
        return (module.name, "\(module.name).\(member.name)")
      }
    }
    return ("store", "store.undo")
  }

  private func text(on function: LuaFunction) throws(LuaError) -> String? {
    guard let globals = try state?.globals() else { return nil }
    for module in reference.modules {
      guard case .table(let table) = try globals.rawGet(module.name),
        case .table(let functions)? = try table.metatable()?.rawGet("__index")
      else { continue }
      for member in module.documentation where member.isFunction {
        // Another one may be in place of the module's own, which counts calls.
        var value = try table.rawGet(member.name)
        if value == .nil { value = try functions.rawGet(member.name) }
        if value == .function(function) {
          return text(on: member, "\(module.name).\(member.signature)")
        }
      }
    }
    return nil
  }

  private func global(_ value: LuaValue) throws(LuaError) -> String? {
    guard let globals = try state?.globals() else { return nil }
    for variable in Reference.globals.words where try globals.rawGet(variable.name) == value {
      return text(on: variable, variable.signature)
    }
    return nil
  }

  private func text(on module: LuaModule) -> String {
    var lines = layout.lines("\(module.name): \(module.help)")
    lines += layout.columns(module.documentation.map { ($0.signature, $0.help) })
    lines += elements(module.elementType?.name, of: module.name)
    if let codes = reference.errorCodes()[module.name], !codes.isEmpty {
      lines += layout.lines("Error codes: \(codes.joined(separator: ", ")).")
    }
    if let found = reference.classes.first(where: { $0.name == module.name }) {
      lines.append(text(on: found))
    }
    return lines.joined(separator: "\n")
  }

  private func text(on objectClass: LuaObjectClass) -> String {
    let members = objectClass.members
    return
      (["An object of the kind \(objectClass.name)\(members.isEmpty ? "." : ":")"]
      + layout.columns(members.map { ($0.signature, $0.help) })
      + elements(objectClass.elementType?.name, of: "list"))
      .joined(separator: "\n")
  }

  /// The uses of a sequence, and the members of its elements.
  private func elements(_ type: String?, of name: String) -> [String] {
    guard let type else { return [] }
    let uses = layout.lines(
      "A sequence of elements of the type \(type): #\(name), \(name)[i], ipairs(\(name)).")
    return uses + (reference.classes.first { $0.name == type }.map { [text(on: $0)] } ?? [])
  }

  private func text(on member: LuaMember, _ signature: String) -> String {
    let text =
      (layout.lines(signature) + layout.lines(member.fullHelp, indentation: 2)
      + layout.columns(member.describedOptions.map { ($0.text, $0.help) })
      + layout.lines("Example: \(member.example)", indentation: 2))
      .joined(separator: "\n")
    guard !member.isFunction,
      let type = reference.classes.first(where: { member.types == [$0.name] })
    else { return text }
    return text + "\n" + self.text(on: type)
  }

  // MARK: - Names

  /// The maximum length in bytes of a text that is searched for.
  private static let maximumLength = 200

  private func text(onName name: LuaString) throws(LuaError) -> String {
    guard let text = name.text, text.utf8.count <= Self.maximumLength else {
      return "There is no help on '\(name.shown.printable)'. \(Self.advice)"
    }
    return try self.text(onName: text)
  }

  /// The help on a module, a member, a class or a function of Lua with a name; for other text, the results of a search.
  package func text(onName name: String) throws(LuaError) -> String {
    let name = name.split(separator: " ").joined(separator: " ")
    guard !name.isEmpty else { return overview }
    if let exact = text(named: name) { return exact }
    let found = search(name, topics)
    return found.isEmpty ? noHelp(on: name) : list(found, for: name)
  }

  /// The help on a module, a member, a class or a global variable with exactly this name; nil if there is none.
  package func text(named name: String) -> String? {
    if let module = reference.modules.first(where: { $0.name == name }) { return text(on: module) }
    if let topic = topics.first(where: { $0.name == name }) {
      return text(on: topic.member, topic.signature)
    }
    return reference.classes.first { $0.name == name }.map { text(on: $0) }
  }

  /// The names that have help, and those of members without their owners.
  package var names: [String] {
    reference.modules.map(\.name) + topics.flatMap { [$0.name, $0.member.name] }
  }

  private func noHelp(on name: String) -> String {
    let nearest = name.suggestion(of: names) ?? "."
    let text = "There is no help on '\(LuaString(name).shown.printable)'\(nearest) \(Self.advice)"
    return layout.lines(text).joined(separator: "\n")
  }

  /// Something that can be found by its name, or by a word of its description.
  private struct Topic {
    /// "prime.nth", "task.await".
    let name: String
    let signature: String
    let member: LuaMember

    init(_ name: String, _ signature: String, _ member: LuaMember) {
      (self.name, self.signature, self.member) = (name, signature, member)
    }
  }

  private var topics: [Topic] {
    reference.modules.flatMap { module in
      module.documentation.map {
        Topic("\(module.name).\($0.name)", "\(module.name).\($0.signature)", $0)
      }
    }
      + Reference.globals.words.map { Topic($0.name, $0.signature, $0) }
      + reference.classes.flatMap { found in
        found.members.map { Topic("\(found.name).\($0.name)", found.signature(of: $0), $0) }
      }
  }

  /// The topics with all words of a text in their names and help, in upper or lower case; the best first.
  private func search(_ text: String, _ topics: [Topic]) -> [(signature: String, help: String)] {
    let words = text.lowercased().split(separator: " ").map(String.init)
    func has(_ text: String) -> Bool { words.allSatisfy(text.lowercased().contains) }
    var found: [(rank: Int, row: (signature: String, help: String))] = []
    for module in reference.modules where has("\(module.name) \(module.help)") {
      found.append((has(module.name) ? 1 : 2, (module.name, module.help)))
    }
    for topic in topics {
      let member = topic.member
      guard has("\(topic.name) \(member.help)") else { continue }
      let rank =
        [member.name.lowercased()] == words
        ? 0 : has(member.name) ? 1 : has(topic.name) ? 2 : has(member.help) ? 3 : 4
      found.append((rank, (topic.signature, member.help)))
    }
    // Stable, so that equally good results are in the order of the modules.
    return found.enumerated()
      .sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
      .map(\.element.row)
  }

  private func list(_ found: [(signature: String, help: String)], for text: String) -> String {
    (layout.lines("What has '\(LuaString(text).shown.printable)' in its name or description:")
      + layout.columns(found.map { ($0.signature, $0.help) })).joined(separator: "\n")
  }
}

import Lua
import StateStore

// The layout of a declaration's tab in a browser.
extension DeclarationReader {
  /// Reads `page = { order = {...}, hide = {...}, columns = { items = {...} }, main = "add" }`.
  func page(_ value: LuaValue, of declaration: FeatureDeclaration) throws -> PageLayout {
    let path = "\(name).page"
    let table = try plainTable(
      value, at: path, "a table: { order = {...}, hide = {...}, columns = {...}, main = \"add\" }")
    let calls = declaration.calls.map(\.call.name)
    let members =
      declaration.fields.fields.map(\.name) + declaration.derived.map(\.field.name) + calls
    let options = try options(table, at: path, known: ["columns", "hide", "main", "order"])
    return PageLayout(
      order: try names(options["order"], at: "\(path).order", of: members),
      hidden: try names(options["hide"], at: "\(path).hide", of: members),
      columns: try columns(options["columns"], at: "\(path).columns", of: declaration.fields),
      main: try text(options["main"], at: "\(path).main").map {
        try known($0, at: "\(path).main", of: calls)
      })
  }

  private func columns(
    _ value: LuaValue?, at path: String, of fields: DeclaredFields
  ) throws -> [String: [String]] {
    guard let value else { return [:] }
    let table = try plainTable(value, at: path, "a table: { items = { \"name\", \"price\" } }")
    let lists = fields.fields.compactMap(\.list)
    let options = try options(table, at: path, known: lists.map(\.name))
    var columns: [String: [String]] = [:]
    for list in lists {
      columns[list.name] = try options[list.name].map {
        try names($0, at: "\(path).\(list.name)", of: list.record.memberNames)
      }
    }
    return columns
  }

  /// Different names in their order, each of which has to be known.
  private func names(_ value: LuaValue?, at path: String, of known: [String]) throws -> [String] {
    guard let value else { return [] }
    let table = try plainTable(value, at: path, "a list of names: { \"name\", \"price\" }")
    var names: [String] = []
    for position in 0..<(try table.rawLength()) {
      guard case .string(let bytes) = try table.rawGet(position + 1) else {
        throw DeclarationError.bad(path, "it has names as strings")
      }
      let name = try self.known(bytes.description, at: path, of: known)
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  private func known(
    _ name: String, at path: String, of known: [String]
  ) throws(DeclarationError) -> String {
    guard known.contains(name) else {
      throw .bad(path, "there is no '\(name.onOneLine)'" + Self.remedy(name, known))
    }
    return name
  }
}

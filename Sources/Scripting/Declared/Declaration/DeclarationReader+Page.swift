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
    var layout = PageLayout()
    for (key, value) in try table.entries() {
      switch key {
      case .string("order"): layout.order = try names(value, at: "\(path).order", of: members)
      case .string("hide"): layout.hidden = try names(value, at: "\(path).hide", of: members)
      case .string("columns"):
        layout.columns = try columns(value, at: "\(path).columns", of: declaration.fields)
      case .string("main"):
        let main = try text(value, at: "\(path).main") ?? ""
        layout.main = try known(main, at: "\(path).main", of: calls)
      default:
        throw unknown("\(key)", at: path, known: ["columns", "hide", "main", "order"])
      }
    }
    return layout
  }

  private func columns(
    _ value: LuaValue, at path: String, of fields: DeclaredFields
  ) throws -> [String: [String]] {
    let table = try plainTable(value, at: path, "a table: { items = { \"name\", \"price\" } }")
    var columns: [String: [String]] = [:]
    let lists = fields.fields.compactMap(\.list)
    for (key, value) in try table.entries() {
      guard case .string(let bytes) = key,
        let list = lists.first(where: { $0.name == bytes.description })
      else { throw unknown("\(key)", at: path, known: lists.map(\.name)) }
      columns[list.name] = try names(
        value, at: "\(path).\(list.name)", of: list.record.memberNames)
    }
    return columns
  }

  /// Different names in their order, each of which has to be known.
  private func names(_ value: LuaValue, at path: String, of known: [String]) throws -> [String] {
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

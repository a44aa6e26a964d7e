/// The definitions of the vocabulary for the Lua language server, to be added to those of an app.
package struct VocabularyDefinitions {
  private let stubbable: StubbableFunctions

  /// - Parameter stubbable: The app's functions that can have a stub, such as `todo.fetch`.
  package init(stubbable: [String]) { self.stubbable = StubbableFunctions(stubbable) }

  /// The definitions, without the line that makes a file one of definitions.
  package var text: String {
    let source = String(decoding: PackageResources.definitions_lua, as: UTF8.self)
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
    return lines.joined(separator: "\n") + stubbable.modules.map(definition).joined()
  }

  /// The function that stubs all services of a module.
  private func definition(of module: String) -> String {
    """

    ---Answers in place of all services that functions of the module ask: a function, or a table from questions to
    ---answers. Returns a spy on the answers.
    ---@param answer table|async fun(...: any): any
    ---@return fun(...: any): any
    function \(module).stub(answer) end

    """
  }
}

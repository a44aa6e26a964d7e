import StateStore
import Lua

/// `print` at the prompt: what tasks print while a line is typed appears above the line.
@MainActor
final class PromptPrint {
  /// Whether a line is being typed.
  var isTyping = false

  private let editor: LineEditor
  private let original: LuaFunction
  private let tostring: LuaFunction

  /// Replaces the state's global `print`.
  init(in state: LuaState, over editor: LineEditor) throws(LuaError) {
    self.editor = editor
    original = try state.global("print")
    tostring = try state.global("tostring")
    let module = LuaModule("prompt", help: "What the prompt replaces.")
    module.function("print", "values", help: "Prints values.", example: "print(1, 2)") {
      [weak self] (values: LuaVariadic) in
      try MainActor.assumeIsolated { try self?.print(values.values) }
    }
    try state.setGlobal("print", to: state.makeTable(module).get("print", as: LuaFunction.self))
  }

  private func print(_ values: [LuaValue]) throws(LuaError) {
    guard isTyping else {
      try original.call(with: values)
      return
    }
    let texts = try values.map { value throws(LuaError) in
      guard case .string(let text) = try tostring.call(value).first else { return "" }
      return String(systemBytes: text.bytes)
    }
    editor.printAbove(texts.joined(separator: "\t"))
  }
}

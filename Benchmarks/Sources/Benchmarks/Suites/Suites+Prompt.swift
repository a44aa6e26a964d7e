extension Suites {
  /// What a person at the prompt may have to wait for, from the terminal's side.
  static func promptTimeChecks() -> [TimeCheck] {
    [
      TimeCheck("prompt: ready", limit: .milliseconds(40), of: \.least) {
        var times: [Duration] = []
        for _ in 0..<10 { times.append(try await PromptCommand.open { $1 }) }
        return times
      },
      TimeCheck("prompt: a key in 100 lines", limit: .milliseconds(5), of: \.worst) {
        let history = (1...10_000).map { "counter.increment(\($0)) -- \(String($0, radix: 2))" }
        return try await PromptCommand.open(history: history) { prompt, _ in
          let lines = (1..<100).map { "  local value\($0) = todo.add(\"text \($0)\")" }
          let block = "do\n" + lines.joined(separator: "\n")
          try prompt.type("\u{1B}[200~\(block)\u{1B}[201~", untilShown: "text 99")
          return try "return value".map { try prompt.press(String($0)) }
        }
      },
      TimeCheck("prompt: completion, 10,000 globals", limit: .milliseconds(50), of: \.worst) {
        try await PromptCommand.open { prompt, _ in
          let code = "for i = 1, 10000 do _G['global' .. i] = i end print('made')"
          try prompt.type("\(code)\r", untilShown: "made")
          return try (1...5).map { _ in
            try prompt.type("glob", untilShown: "glob")
            let time = try prompt.press("\t")
            // Answers whether all are to be shown, then discards the input: Ctrl-C would be a signal, which only the
            // processes of a terminal's session get.
            _ = try prompt.press("n")
            _ = try prompt.press("\u{15}")
            return time
          }
        }
      },
    ]
  }
}

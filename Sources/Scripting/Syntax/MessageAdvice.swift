package enum MessageAdvice {
  /// Advice on a loop over a list, a table or an object, which Lua calls as if it were a function; nil for other messages.
  package static func loop(in message: some StringProtocol) -> String? {
    message.hasSuffix("value (for iterator 'for iterator')")
      ? "; to loop over its parts, write for _, part in ipairs(list) do, or pairs" : nil
  }
}

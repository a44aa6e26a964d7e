extension String {
  /// The text in double quotes, with a backslash before those in it, as in the names of types.
  @usableFromInline package var quoted: String {
    "\"\(replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }
}

/// What scripts see of an error of the host: `err.code`, `err.message`, and further fields.
public struct LuaErrorDescription {
  let code: String
  let message: String
  let fields: [String: any LuaPushable]

  /// Makes a description.
  ///
  /// - Parameters:
  ///   - code: a stable word for the kind of error, in snake case.
  ///   - message: what was wrong, and what to do about it; also what `tostring(err)` gives.
  ///   - fields: further fields that scripts can read by name.
  public init(code: String, message: String, fields: [String: any LuaPushable] = [:]) {
    self.code = code
    self.message = message
    self.fields = fields
  }
}

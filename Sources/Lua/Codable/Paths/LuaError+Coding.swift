extension LuaError {
  /// What the coders throw for an error inside them: it names the path, and the error is its `underlying`.
  ///
  /// What Lua code raised in a metamethod stays as it is.
  init(coding error: any Error) {
    switch error {
    case let error as LuaError:
      self = error
    case let error as DecodingError:
      self.init(error)
    case EncodingError.invalidValue(_, let context):
      let code = (context.underlyingError as? LuaError)?.code ?? Code.codingFailed.rawValue
      self.init(code: code, message: Self.message(context.debugDescription, at: context.codingPath))
      underlying = error
    default:
      self.init(.codingFailed, String(describing: error))
      underlying = error
    }
  }

  private init(_ error: DecodingError) {
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      self.init(.wrongType, Self.message(context.debugDescription, at: context.codingPath))
    case .keyNotFound(let key, let context):
      self.init(.wrongType, Self.message("missing", at: context.codingPath + [key]))
    case .dataCorrupted(let context):
      self.init(.codingFailed, Self.message(context.debugDescription, at: context.codingPath))
    @unknown default:
      self.init(.codingFailed, String(describing: error))
    }
    underlying = error
  }

  private static func message(_ text: String, at path: [any CodingKey]) -> String {
    path.isEmpty ? text : "\(path.luaPath): \(text)"
  }
}

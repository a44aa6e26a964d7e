extension Error {
  /// The message for people that an error of any of Foundation's kinds has; nil for an error of another kind.
  package var localizedMessage: String? {
    if let error = self as? CocoaError { return error.message }
    #if !canImport(FoundationEssentials)
      // Every error can be bridged to NSError: `is` would always hold.
      if self is any CustomNSError || type(of: self) is NSError.Type { return localizedDescription }
    #endif
    return (self as? any LocalizedError)?.errorDescription
  }
}

extension CocoaError {
  /// The file and what the system says, such as "notes.txt: No such file or directory".
  fileprivate var message: String {
    let reason =
      if let error = underlying as? POSIXError {
        String(cString: strerror(error.code.rawValue))
      } else {
        "it can't be used (code \(code.rawValue))"
      }
    return [filePath ?? url?.path, reason].compactMap(\.self).joined(separator: ": ")
  }
}

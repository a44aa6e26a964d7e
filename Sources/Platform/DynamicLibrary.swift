import PrimereplFoundation

/// C libraries that are loaded on first use: linking them would slow down the start of every process.
package enum DynamicLibrary {
  package struct Problem: Error {
    package let reason: String
  }

  /// Loads the first library that is found, which stays loaded, and looks up its functions.
  ///
  /// - Parameters:
  ///   - names: File names that the system's loader looks for, or paths.
  ///   - lookUp: The function that `CLoading.h` makes for the library's functions.
  /// - Returns: The functions.
  /// - Throws: `Problem`, with the loader's reasons, or the first function that is missing.
  package static func functions<Functions>(
    of names: [String],
    _ lookUp: (UnsafeMutableRawPointer, UnsafeMutablePointer<UnsafePointer<CChar>?>) -> Functions
  ) throws(Problem) -> Functions {
    var reasons: [String] = []
    for name in names {
      guard let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
        reasons.append(dlerror().map { String(cString: $0) } ?? "the loader gave no reason")
        continue
      }
      var missing: UnsafePointer<CChar>?
      let functions = lookUp(library, &missing)
      if let missing { throw Problem(reason: "\(name) has no \(String(cString: missing))") }
      return functions
    }
    throw Problem(reason: reasons.joined(separator: "; "))
  }
}

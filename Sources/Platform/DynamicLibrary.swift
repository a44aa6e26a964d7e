import PrimereplFoundation

/// A C library that is loaded on first use: linking it would slow down the start of every process.
package struct DynamicLibrary {
  package struct Problem: Error {
    package let reason: String

    package init(reason: String) { self.reason = reason }
  }

  package let name: String

  private let handle: UnsafeMutableRawPointer

  /// Loads the first library that is found; it stays loaded.
  ///
  /// - Parameter names: File names that the system's loader looks for, or paths.
  /// - Throws: `Problem`, with the loader's reasons.
  package init(names: [String]) throws(Problem) {
    var reasons: [String] = []
    for name in names {
      if let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) {
        (self.name, self.handle) = (name, handle)
        return
      }
      reasons.append(dlerror().map { String(cString: $0) } ?? "the loader gave no reason")
    }
    throw Problem(reason: reasons.joined(separator: "; "))
  }

  /// A function of the library; its type must be the one that the header declares.
  package func function<Function>(
    _ symbol: String, as type: Function.Type = Function.self
  ) throws(Problem) -> Function {
    guard let address = dlsym(handle, symbol) else {
      throw Problem(reason: "\(name) has no \(symbol)")
    }
    return unsafeBitCast(address, to: type)
  }
}

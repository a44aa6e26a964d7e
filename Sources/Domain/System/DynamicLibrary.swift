import Foundation

/// A C library that is loaded when it is first needed: linked, it would lengthen the start of every process.
struct DynamicLibrary {
  /// Why a library can't be used.
  struct Problem: Error {
    let reason: String
  }

  /// The file name by which it was found.
  let name: String

  private let handle: UnsafeMutableRawPointer

  /// Loads the first library that is there, which stays loaded.
  ///
  /// - Parameter names: File names the system's loader looks for, or paths.
  /// - Throws: `Problem`, for which the loader has the reasons.
  init(names: [String]) throws(Problem) {
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

  /// A function of the library, whose type must be the one that its header declares.
  func function<Function>(
    _ symbol: String, as type: Function.Type = Function.self
  ) throws(Problem) -> Function {
    guard let address = dlsym(handle, symbol) else {
      throw Problem(reason: "\(name) has no \(symbol)")
    }
    return unsafeBitCast(address, to: type)
  }
}

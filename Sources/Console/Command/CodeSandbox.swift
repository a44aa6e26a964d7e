import ArgumentParser
import PrimereplLoading

/// What Lua code may reach, as `--sandbox` and `--allow-network` say.
struct CodeSandbox {
  let isOn: Bool
  let allowsNetwork: Bool

  /// Checks that only a sandbox is opened to the network.
  ///
  /// - Throws: `ValidationError`.
  func validate() throws {
    if allowsNetwork, !isOn { throw ValidationError("--allow-network needs --sandbox") }
  }

  /// The documents that code may read and write.
  var documents: DocumentAccess {
    DocumentAccess(
      allowsFiles: !isOn, network: isOn && !allowsNetwork ? .refusedInSandbox : .allowed)
  }
}

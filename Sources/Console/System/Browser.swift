import PrimereplPlatform
import Subprocess

enum Browser {
  /// Opens a page in the browser, which goes on by itself.
  static func open(_ address: String) async throws(CommandError) {
    #if os(macOS)
      let usual = "open"
    #else
      let usual = "xdg-open"
    #endif
    let command = CurrentProcess.variable("BROWSER").flatMap { $0.isEmpty ? nil : $0 } ?? usual
    let status: TerminationStatus
    do {
      // In a session of its own: Ctrl-C ends the server, and not the browser.
      var options = PlatformOptions()
      options.createSession = true
      status = try await Subprocess.run(
        .path("/bin/sh"),
        arguments: [
          "-c", #"eval "set -- $1 \"\$2\""; command -v "$1" >/dev/null || exit 127; "$@" &"#,
          "sh", command, address,
        ],
        platformOptions: options, input: .none, output: .discarded, error: .discarded
      ).terminationStatus
    } catch {
      throw .notStarted(command, reason: "\(error)")
    }
    guard status.isSuccess else {
      throw .notStarted(command, reason: "there is no such program")
    }
  }
}

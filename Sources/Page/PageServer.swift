import PrimereplFoundation
import StateStore

/// Serves an app's page to browsers, and tells them of what changes.
@MainActor
package final class PageServer {
  /// What may be done, and by whom.
  package struct Options: Sendable {
    /// The IP address on which the server listens; nil for this machine alone.
    package var host: String?
    /// The port; 0 for any that is free.
    package var port: Int
    /// The token that the page's address has; nil for a new random one.
    package var token: String?
    /// Whether pages only look.
    package var isReadOnly: Bool

    /// Makes options.
    package init(
      host: String? = nil, port: Int = 8123, token: String? = nil, isReadOnly: Bool = false
    ) {
      (self.host, self.port, self.token, self.isReadOnly) = (host, port, token, isReadOnly)
    }
  }

  /// The address of the page, which lets whoever has it in.
  package let address: String

  private let server: HTTPServer
  private let pages: OpenPages

  /// Starts to serve.
  ///
  /// - Parameters:
  ///   - host: The program. It has to outlive the server.
  ///   - options: What may be done.
  /// - Throws: `ServerError` if the port can't be used, or the library of the server isn't installed; `LuaError` if the Lua
  ///   state is closed.
  package init(of host: any PageHost, _ options: Options) throws {
    if let host = options.host, ["0.0.0.0", "::"].contains(host) {
      throw ServerError(
        "bad_host",
        "\(host) stands for all addresses of this machine: name the one by which browsers ask"
      )
    }
    let pages = try OpenPages(of: host, isReadOnly: options.isReadOnly)
    let token = options.token ?? PageAccess.makeToken()
    let local = ["127.0.0.1", "::1"]
    let hosts = options.host.map { [$0] } ?? local
    server = try HTTPServer(on: hosts, port: options.port) { await pages.answer($0) }
    pages.allow(PageAccess(token: token, hosts: local + ["localhost"] + hosts, port: server.port))
    self.pages = pages
    let shown = hosts[0].contains(":") ? "[\(hosts[0])]" : hosts[0]
    address = "http://\(shown):\(server.port)/?token=\(token)"
  }

  /// Shows what code has printed on the pages that are open.
  package func show(output text: String) { pages.tellOutput(text) }

  /// Stops serving: pages say that the connection is lost.
  package func stop() {
    pages.stop()
    server.stop()
  }
}

import Lua
import PrimereplFoundation
import StateStore

/// Serves an app's page to browsers, and tells them of what changes.
@MainActor
package final class PageServer {
  /// What may be done, and by whom.
  package struct Options: Sendable {
    /// The IP address on which the server listens; nil for this machine alone.
    package var address: String?
    /// The port; 0 for any that is free, and nil for the usual one, or any if that is taken.
    package var port: Int?
    /// The token that the page's address has; nil for a new random one.
    package var token: String?
    /// Whether pages only look.
    package var isReadOnly: Bool

    /// Makes options.
    package init(
      address: String? = nil, port: Int? = nil, token: String? = nil, isReadOnly: Bool = false
    ) {
      (self.address, self.port, self.token, self.isReadOnly) = (address, port, token, isReadOnly)
    }
  }

  /// The address of the page, which lets whoever has it in.
  package var address: String { "\(site)/?token=\(token)" }

  /// An address that lets one browser in, once: other users of the machine can see the arguments of programs.
  package func makeAddressForOnce() -> String {
    let token = PageAccess.makeToken()
    pages.allowOnce(token)
    return "\(site)/?token=\(token)"
  }

  private let site: String
  private let token: String

  /// The usual port.
  package nonisolated static let port = 8123

  private let host: any PageHost
  private let server: HTTPServer
  private let pages: OpenPages

  /// Starts to serve.
  ///
  /// - Parameters:
  ///   - host: The program. It has to outlive the server.
  ///   - options: What may be done.
  /// - Throws: `ServerError` if the port can't be used, or the library of the server isn't installed; `LuaError` if the Lua
  ///   state is closed.
  package init(of host: any PageHost, _ options: Options = Options()) throws {
    if let address = options.address, ["0.0.0.0", "::"].contains(address) {
      throw ServerError(
        "bad_host",
        "\(address) stands for all addresses of this machine: name the one by which browsers ask"
      )
    }
    let pages = try OpenPages(of: host, isReadOnly: options.isReadOnly)
    token = options.token ?? PageAccess.makeToken()
    let local = ["127.0.0.1", "::1"]
    let addresses = options.address.map { [$0] } ?? local
    server = try Self.server(of: pages, on: addresses, options.port)
    pages.allow(
      PageAccess(token: token, hosts: local + ["localhost"] + addresses, port: server.port))
    (self.host, self.pages) = (host, pages)
    let shown = addresses[0].contains(":") ? "[\(addresses[0])]" : addresses[0]
    site = "http://\(shown):\(server.port)"
    try host.state.redirectOutput { [unowned host] output in
      MainActor.assumeIsolated {
        host.write(output: output)
        pages.sendOutput(output.description)
      }
    }
  }

  /// Starts a server on a port, or on any if the usual one is taken.
  private static func server(
    of pages: OpenPages, on addresses: [String], _ port: Int?
  ) throws(ServerError) -> HTTPServer {
    func server(_ port: Int) throws(ServerError) -> HTTPServer {
      try HTTPServer(
        on: addresses, port: port, refuse: { pages.refusal(of: $0) },
        answer: { await pages.answer($0) })
    }
    do {
      return try server(port ?? Self.port)
    } catch  where port == nil && error.code == ServerError.portInUse {
      return try server(0)
    }
  }

  /// Stops serving: pages say that the connection is lost.
  package func stop() {
    pages.stop()
    server.stop()
    do throws(LuaError) {
      try host.state.redirectOutput(to: nil)
    } catch {
      // The state is closed: nothing prints any more.
    }
  }
}

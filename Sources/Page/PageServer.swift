import Lua
import PrimereplFoundation
import StateStore

/// Serves an app's page to browsers, and tells them of what changes.
@MainActor
package final class PageServer {
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
  ///   - address: The IP address on which it listens; nil for this machine alone.
  ///   - port: The port; 0 for any that is free, and nil for the usual one, or any if that is taken.
  ///   - token: The token that the page's address has; nil for a new random one.
  ///   - isReadOnly: Whether pages only look.
  /// - Throws: `ServerError` if the port can't be used, or the library of the server isn't installed; `LuaError` if the Lua
  ///   state is closed.
  package init(
    of host: any PageHost, address: String? = nil, port: Int? = nil, token: String? = nil,
    isReadOnly: Bool = false
  ) throws {
    if let address, ["0.0.0.0", "::"].contains(address) {
      throw ServerError(
        "bad_host",
        "\(address) stands for all addresses of this machine: name the one by which browsers ask"
      )
    }
    let pages = try OpenPages(of: host, isReadOnly: isReadOnly)
    let server = try HTTPServer(
      refuse: { pages.refusal(of: $0) }, answer: { await pages.answer($0) })
    let local = ["127.0.0.1", "::1"]
    let addresses = address.map { [$0] } ?? local
    let port = try Self.start(server, on: addresses, port)
    self.token = token ?? PageAccess.makeToken()
    pages.allow(PageAccess(token: self.token, hosts: local + ["localhost"] + addresses, port: port))
    (self.host, self.server, self.pages) = (host, server, pages)
    site = "http://\(PageAccess.authority(addresses[0], port))"
    do throws(LuaError) {
      try host.state.redirectOutput { [unowned host] output in
        MainActor.assumeIsolated {
          host.write(output: output)
          pages.sendOutput(output.description)
        }
      }
    } catch {
      server.stop()
      throw error
    }
  }

  /// Starts a server on a port, or on any if the usual one is taken, and returns the port.
  private static func start(
    _ server: HTTPServer, on addresses: [String], _ port: Int?
  ) throws(ServerError) -> Int {
    do {
      return try server.start(on: addresses, port: port ?? Self.port)
    } catch  where port == nil && error.code == ServerError.portInUse {
      return try server.start(on: addresses, port: 0)
    }
  }

  /// Stops serving, which otherwise goes on: pages say that the connection is lost.
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

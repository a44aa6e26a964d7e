import ArgumentParser
import Lua
import PrimereplFoundation
import PrimereplPage
import PrimereplPlatform
import Scripting
import StateStore

struct ServeCommand: AppCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Show the app and its history in a browser.",
    discussion: """
      Prints the address of a page, and serves it until Ctrl-C: the features with their fields, lists and forms, the history, \
      and a console. It shows the prompt's session, or that of --state, and what others do in it.

      Whoever has the address can do what you can at the prompt, unless --read-only is given. Only this machine can connect, \
      unless --host names another address of it.
      """)

  @OptionGroup var app: AppOptions

  @Option(
    help: ArgumentHelp(
      "Serve the session in this file or on this server instead of the prompt's.", valueName: "file"
    ),
    completion: .file())
  private var state: String?

  @Option(
    help: """
      The port; 0 for any that is free. Without it, \(PageServer.port), or any if that is taken.
      """)
  private var port: Int?

  @Option(
    help: ArgumentHelp(
      "Listen on this IP address. What is sent can be read on the way, as there is no TLS; needs --token-file.",
      valueName: "address"))
  private var host: String?

  @Option(
    help: ArgumentHelp(
      "Take the page's token from the first line of this file, instead of a random one.",
      valueName: "file"),
    completion: .file())
  private var tokenFile: String?

  @Flag(help: "Open the page in the browser: with $BROWSER, or the desktop's own.")
  private var open = false

  @Flag(help: "Let pages look, and change nothing.")
  private var readOnly = false

  @Flag(help: "Run what pages send without io, debug, and access to files and the network.")
  private var sandbox = false

  @Flag(help: "Allow the sandbox to use the network.")
  private var allowNetwork = false

  @Option(
    help: ArgumentHelp("Limit the memory of Lua code: 500K, 64M, 1G.", valueName: "size"),
    transform: MemorySize.init)
  private var maxMemory: MemorySize?

  @Option(
    help: ArgumentHelp("Limit the time that code runs without waiting.", valueName: "seconds"))
  private var maxTime: Double?

  private var codeSandbox: CodeSandbox { CodeSandbox(isOn: sandbox, allowsNetwork: allowNetwork) }

  private var limits: CodeLimits { CodeLimits(memory: maxMemory, time: maxTime) }

  var codeLimits: DeclaredApp.Limits { limits.ofApp }

  func validate() throws {
    if state == "" { throw ValidationError("--state needs a file name or an address") }
    if let port, !(0...65_535).contains(port) {
      throw ValidationError("--port takes a number from 0 to 65535, not \(port)")
    }
    try codeSandbox.validate()
    try limits.validate()
    if host != nil, tokenFile == nil {
      throw ValidationError("--host needs --token-file: others can reach the page then")
    }
  }

  @MainActor
  func run(in console: Console) async throws {
    let environment = CurrentProcess.environment
    let token = try tokenFile.map { try Self.token(in: UserFiles.expanding($0)) }
    let session =
      try console.session(named: state, in: environment, limits)
      ?? console.promptSession(in: environment, limits)
    try await Interpreter.using(
      session, of: console, in: environment, limits, codeSandbox,
      forPrompt: true
    ) { interpreter in
      try await serve(interpreter, token)
    }
  }

  @MainActor
  private func serve(_ interpreter: Interpreter, _ token: String?) async throws {
    let server = try PageServer(
      of: interpreter, address: host, port: port, token: token, isReadOnly: readOnly)
    defer { server.stop() }
    CurrentProcess.print("\(server.address)   (Ctrl-C ends it)")
    CurrentProcess.flush()
    if host != nil {
      Diagnostics.print("What is sent can be read on the way, as there is no TLS.")
    }
    if open {
      do {
        try await Browser.open(server.makeAddressForOnce())
      } catch {
        // The address can be opened by hand.
        Diagnostics.report(error)
      }
    }
    await interpreter.waitForInterrupt()
  }

  private static func token(in path: String) throws -> String {
    let bytes: [UInt8]
    do throws(SystemCallError) {
      bytes = try FileSystem.contents(of: path)
    } catch {
      throw CommandError(description: "can't read the token file \(path): \(error.reason)")
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let token = text.prefix { !$0.isNewline }.trimmingWhitespace
    guard token.count >= minimumTokenLength,
      token.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
    else {
      throw CommandError(
        description: "the token in \(path) needs \(minimumTokenLength) letters and digits or more")
    }
    return token
  }

  private static let minimumTokenLength = 16
}

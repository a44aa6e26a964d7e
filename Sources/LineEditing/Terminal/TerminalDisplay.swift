import PrimereplPlatform
import Synchronization

/// A terminal's screen, for drawing on any thread.
///
/// A block is drawn by the main actor, while the output of programs comes on another thread: it has to be shown even when
/// the main actor is busy, or waits until its own output is read.
package final class TerminalDisplay: Sendable {
  package let terminal: Terminal
  private let renderer: Mutex<Renderer>

  package init(terminal: Terminal, usesColors: Bool) {
    self.terminal = terminal
    renderer = Mutex(Renderer(screen: terminal.screen, usesColors: usesColors))
  }

  /// Draws; nothing else is written to the terminal meanwhile.
  package func draw(_ body: (inout sending Renderer) -> [UInt8]) {
    renderer.withLock { terminal.write(body(&$0)) }
  }
}

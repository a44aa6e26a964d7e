/// A terminal's screen: what a user sees after a program has written bytes to it.
public struct TerminalScreen {
}

/// A key press, or a paste, as a terminal reports it.
package enum Key: Hashable, Sendable {
  case character(Character)
  /// Ctrl with a lowercase letter or one of `@[\]^_?`; Ctrl-I is `.tab`, Ctrl-M is `.enter`, and Ctrl-[ is `.escape`.
  case control(Character)
  /// Alt, or Escape followed by the key; the character is as typed.
  case alt(Character)
  case altControl(Character)
  case enter
  case altEnter
  case tab
  case backTab
  case escape
  case backspace
  case altBackspace
  case delete
  case up
  case down
  case left
  case right
  case home
  case end
  case pageUp
  case pageDown
  /// Left with Ctrl or Alt, as for the keys below.
  case controlLeft
  case controlRight
  case controlUp
  case controlDown
  case controlDelete
  /// Text from the terminal's bracketed paste, with its line ends as newlines.
  case paste(String)
  /// It does nothing.
  case unknown
}

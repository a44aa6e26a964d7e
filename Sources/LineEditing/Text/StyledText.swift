/// Text with colors and attributes, to be shown on a terminal.
///
/// It has no control sequences: control characters are escaped where it is shown, so that no text from outside can
/// command the terminal.
package struct StyledText: Equatable, Sendable {
  package struct Run: Equatable, Sendable {
    package var text: String
    package var style: Style
  }

  package private(set) var runs: [Run] = []

  package init(_ text: String = "", _ style: Style = .plain) { append(text, style) }

  package var text: String { runs.map(\.text).joined() }

  package var isEmpty: Bool { runs.isEmpty }

  package mutating func append(_ text: String, _ style: Style = .plain) {
    guard !text.isEmpty else { return }
    if let last = runs.indices.last, runs[last].style == style {
      runs[last].text += text
    } else {
      runs.append(Run(text: text, style: style))
    }
  }

  package mutating func append(_ other: StyledText) {
    for run in other.runs { append(run.text, run.style) }
  }

  package static func + (left: StyledText, right: StyledText) -> StyledText {
    var sum = left
    sum.append(right)
    return sum
  }
}

package struct Style: Hashable, Sendable {
  /// The colors that every terminal has, with their numbers in SGR sequences (ECMA-48, 8.3.117).
  package enum Color: UInt8, Sendable {
    case red = 31
    case green = 32
    case yellow = 33
    case blue = 34
    case magenta = 35
    case cyan = 36
    case gray = 90
  }

  package var color: Color?
  package var isBold = false
  package var isDim = false
  package var isUnderlined = false
  package var isInverse = false

  package init(
    _ color: Color? = nil, bold: Bool = false, dim: Bool = false, underlined: Bool = false,
    inverse: Bool = false
  ) {
    (self.color, isBold, isDim, isUnderlined, isInverse) = (color, bold, dim, underlined, inverse)
  }

  /// The style without its color; gray, which marks what isn't part of the text, becomes dim.
  var withoutColor: Style {
    var style = self
    style.isDim = isDim || color == .gray
    style.color = nil
    return style
  }

  package static let plain = Style()
  package static let dim = Style(dim: true)
  package static let bold = Style(bold: true)
}

/// A prompt as libedit wants it, and as it looks.
///
/// libedit has to be told which parts take up no columns, and it drops such a part at the very end of
/// a prompt, so a trailing colour sequence is moved in front of the last visible character: let
/// prompts end in a plain space.
struct PromptText: Equatable {
  /// The character around what takes up no columns, for `EL_PROMPT_ESC`.
  static let marker: Unicode.Scalar = "\u{1}"

  /// The prompt with its colour sequences marked, without the zero character at the end.
  let marked: [Unicode.Scalar]

  /// The prompt without its colour sequences.
  let visible: [Unicode.Scalar]

  /// Takes a prompt apart.
  ///
  /// - Parameter prompt: Text that may contain ANSI control sequences (`ESC [`, parameters, a letter).
  init(_ prompt: String) {
    // A visible character, and the sequences that come before it.
    var pieces: [(sequences: [Unicode.Scalar], character: Unicode.Scalar)] = []
    var sequences: [Unicode.Scalar] = []
    var isInSequence = false
    for scalar in prompt.unicodeScalars {
      if isInSequence || scalar == "\u{1B}" {
        sequences.append(scalar)
        // ECMA-48, 5.4: the final byte of a control sequence is in @ to ~; [ only introduces it.
        isInSequence = scalar == "[" || !("@"..."~").contains(scalar)
      } else {
        pieces.append((sequences, scalar))
        sequences = []
      }
    }
    if let last = pieces.indices.last { pieces[last].sequences += sequences }
    visible = pieces.map(\.character)
    marked = pieces.flatMap { piece in
      piece.sequences.isEmpty
        ? [piece.character] : [Self.marker] + piece.sequences + [Self.marker, piece.character]
    }
  }
}

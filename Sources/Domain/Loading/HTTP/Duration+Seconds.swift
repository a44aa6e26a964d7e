extension Duration {
  /// The duration for a message, in seconds: "30 s", "0.2 s".
  var formattedSeconds: String {
    let (seconds, attoseconds) = components
    return attoseconds == 0 ? "\(seconds) s" : "\(self / .seconds(1)) s"
  }
}

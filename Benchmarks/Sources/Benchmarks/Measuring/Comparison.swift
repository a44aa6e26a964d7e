/// What a benchmark gave: the least time that one operation took on either side.
struct Comparison {
  let reference: Duration
  let ours: Duration

  /// How many times as long as the reference ours took.
  var ratio: Double { ours / reference }
}

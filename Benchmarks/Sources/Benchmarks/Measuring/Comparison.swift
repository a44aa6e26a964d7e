/// What a benchmark gave: the least time that one operation took on either side.
struct Comparison {
  let plain: Duration
  let ours: Duration

  /// How many times as long as plain C ours took.
  var ratio: Double { ours / plain }
}

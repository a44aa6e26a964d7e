/// A whole answer of Wolfram|Alpha.
public struct WolframAnswer: Sendable, Equatable {
  /// One of the boxes that an answer consists of.
  public struct Pod: Sendable, Equatable {
    /// What the pod shows, as a heading.
    public let title: String

    /// The kind of pod, a stable word ("Result").
    public let id: String

    /// Whether this is the pod that answers the question.
    public let primary: Bool

    /// The parts of the pod.
    public let subpods: [Subpod]
  }

  /// A part of a pod.
  public struct Subpod: Sendable, Equatable {
    /// The heading, often empty.
    public let title: String

    /// The content as text; empty for what can only be drawn.
    public let plaintext: String
  }

  /// Whether the input was understood.
  public let success: Bool

  /// The pods, in the service's order; none without a result.
  public let pods: [Pod]

  /// Other inputs that the service can read, for one that it can't.
  public let didYouMean: [String]

  /// What the service remarks on how it read the input.
  public let warnings: [String]

  /// The parts of the service (its "scanners") that ran out of time; an answer can lack their pods
  /// and be a success all the same.
  public let timedOut: [String]
}

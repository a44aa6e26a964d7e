public import StateStore
/// A list of landmarks, of which people mark their favorites, and select one to see more of it.
public enum Landmarks: Feature {
  /// "landmarks".
  public static let name = "landmarks"

  /// No landmarks.
  public static var initial: State { State() }

  /// What the list remembers.
  public struct State: Codable, Equatable, Sendable {
    /// The landmarks, in the order of their file.
    public internal(set) var all = RecordList<Landmark>()
    /// Whether only favorites are shown.
    public internal(set) var showFavoritesOnly = false
    /// The id of the landmark that is selected, shown or not, or nil.
    public internal(set) var selected: Int?
    /// The latest request for landmarks that isn't answered yet; answers to others are ignored.
    public internal(set) var pendingRequest: Int?

    /// Makes the state before any landmarks were loaded.
    public init() {}

    /// The number of landmarks.
    public var count: Int { all.count }

    /// The id of the landmark at a position from 0, which must be one of the list's.
    ///
    /// - Complexity: O(log landmarks).
    public func id(at position: Int) -> Int { all[position].id }

    /// The landmarks that are shown: all of them, or only the favorites.
    ///
    /// - Complexity: O(landmarks).
    public var visible: [Landmark] {
      showFavoritesOnly ? all.filter(\.isFavorite) : Array(all)
    }
  }

  /// Everything that can happen to the list.
  public enum Action: Codable, Equatable, Sendable {
    /// Landmarks are asked for, of the built-in source or another.
    case loadRequested(request: Int, source: String? = nil)
    /// The landmarks came, and replace those there were.
    case loadSucceeded(request: Int, landmarks: [Landmark])
    /// No landmarks came.
    case loadFailed(request: Int, message: String)
    /// A landmark becomes a favorite, or is none any more.
    case setFavorite(id: Int, isFavorite: Bool)
    /// Only favorites are shown, or all.
    case setShowFavoritesOnly(Bool)
    /// A landmark is selected, in place of the one before.
    case select(id: Int)
    /// No landmark is selected any more.
    case deselect
  }

  /// Changes the list as the action says.
  ///
  /// - Throws: `LandmarksError`, or `RecordListError` for ids that aren't unique; then the state is
  ///   unchanged.
  public static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .loadRequested(let request, _):
      state.pendingRequest = request
    case .loadFailed(let request, _):
      if request == state.pendingRequest { state.pendingRequest = nil }
    case .loadSucceeded(let request, let landmarks):
      guard request == state.pendingRequest else { return }
      try state.all.replaceAll(with: landmarks)
      state.pendingRequest = nil
      if let selected = state.selected, !state.all.contains(id: selected) { state.selected = nil }
    case .setFavorite(let id, let isFavorite):
      let isThere = state.all.update(id: id) { $0.isFavorite = isFavorite }
      guard isThere else { throw LandmarksError.notFound(id: id) }
    case .setShowFavoritesOnly(let isOn):
      state.showFavoritesOnly = isOn
    case .select(let id):
      guard state.all.contains(id: id) else { throw LandmarksError.notFound(id: id) }
      state.selected = id
    case .deselect:
      state.selected = nil
    }
  }

  /// Says that the records that are awaited won't come.
  public static func recovery(of state: State) -> Action? {
    state.pendingRequest.map { .loadFailed(request: $0, message: recoveryMessage) }
  }

  /// All that the list remembers.
  public static let fields: [Field<Landmarks>] = [
    .list("all", \.all).inView("landmarks"),
    .value("show_favorites_only", \.showFavoritesOnly),
    .value("selected", \.selected),
  ]

  /// Checks that the landmark that is selected is there.
  public static func validate(_ state: inout State) throws {
    if let selected = state.selected, !state.all.contains(id: selected) {
      throw DocumentError("selected", "\(LandmarksError.notFound(id: selected))")
    }
  }
}

import Lua
public import PrimereplDomain
public import Scripting
internal import StateStore

extension Landmarks: ScriptableFeature {
  /// The module's purpose.
  public static let help = "Landmarks: load, filter the favorites, select one."

  /// Only its requests use services.
  public static let functionsUseServices = false

  /// Adds the functions that load, filter and select landmarks.
  public static func describe(_ module: FeatureModule<Landmarks>) {
    let (store, all) = (module.store, module.records(\.all))
    module.request(
      load, "source",
      help: "Replaces the landmarks with the built-in ones, or with those of a JSON file or URL.",
      example: "landmarks.load()"
    ) { (source: String?) in Source(source) }
    module.function(
      "visible", help: "The landmarks that are shown: all, or only the favorites.",
      example: "for _, landmark in ipairs(landmarks.visible()) do print(landmark) end"
    ) { () in store.state(of: Landmarks.self).visible.map { all[$0.id] } }
    module.function(
      "get", "id",
      help:
        "The landmark with an id: name, park, state, category, latitude and so on; assign is_favorite to set it.",
      example: "print(landmarks.get(1).park)"
    ) { (id: Int) in try all.existing(id) }
    module.function(
      "toggle_favorite", "id",
      help: "Toggles whether a landmark is a favorite; returns whether it is one now.",
      example: "landmarks.toggle_favorite(2)"
    ) { (id: Int) in
      let isFavorite = try !store.read(Landmarks.self) { try $0.isFavorite(id) }
      try store.send(.setFavorite(id: id, isFavorite: isFavorite), to: Landmarks.self)
      return isFavorite
    }
    module.action(
      "select", "id", help: "Selects a landmark, shown or not.", example: "landmarks.select(2)"
    ) { (id: Int) in .select(id: id) }
    module.function("deselect", help: "Selects no landmark.", example: "landmarks.deselect()") {
      () in
      if store.state(of: Landmarks.self).selected != nil {
        try store.send(.deselect, to: Landmarks.self)
      }
    }
  }
}

extension Landmark: ScriptableRecord {
  /// The record as `tostring` shows it.
  public var luaText: String { row }
}

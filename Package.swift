// swift-tools-version: 6.2
import PackageDescription

/// Async functions run on their caller's actor unless they say otherwise: the Lua state, the store
/// and everything around them belong to one actor and are never shared between two.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
  name: "primerepl",
  platforms: [.macOS(.v26)],
  products: [
    .library(name: "Lua", targets: ["Lua"])
  ],
  targets: [
    .systemLibrary(
      name: "CLua", pkgConfig: "lua5.4",
      providers: [.apt(["liblua5.4-dev"]), .brew(["lua@5.4"])]),
    .target(name: "CLuaTrampolines", dependencies: ["CLua"]),
    .target(name: "Lua", dependencies: ["CLua", "CLuaTrampolines"], swiftSettings: settings),
    .testTarget(name: "LuaTests", dependencies: ["Lua"], swiftSettings: settings),
  ]
)

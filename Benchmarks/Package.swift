// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v26)],
  dependencies: [
    .package(name: "primerepl", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CLuaHeaders", pkgConfig: "lua5.4",
      providers: [.apt(["liblua5.4-dev"]), .brew(["lua@5.4"])]),
    .systemLibrary(name: "CLibpq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(name: "PlainC", dependencies: ["CLuaHeaders"]),
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "CLibpq", "PlainC",
        .product(name: "Lua", package: "primerepl"),
        .product(name: "PostgresJournal", package: "primerepl"),
        .product(name: "StateFile", package: "primerepl"),
        .product(name: "StateStore", package: "primerepl"),
        .product(name: "PrimereplDomain", package: "primerepl"),
        .product(name: "PrimereplBridge", package: "primerepl"),
        .product(name: "Scripting", package: "primerepl"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      path: "Sources/Benchmarks",
      swiftSettings: [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("ExistentialAny"),
      ]),
  ]
)

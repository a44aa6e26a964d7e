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
    .library(name: "Lua", targets: ["Lua"]),
    .library(name: "StateStore", targets: ["StateStore"]),
    .library(name: "Scripting", targets: ["Scripting"]),
    .library(name: "Scenarios", targets: ["Scenarios"]),
    .library(name: "Console", targets: ["Console"]),
    .library(name: "Domain", targets: ["Domain"]),
    .library(name: "Bridge", targets: ["Bridge"]),
    .executable(name: "primerepl", targets: ["primerepl"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CLua", pkgConfig: "lua5.4",
      providers: [.apt(["liblua5.4-dev"]), .brew(["lua@5.4"])]),
    .systemLibrary(
      name: "CCurl",
      providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(
      name: "CPrimecount",
      providers: [.apt(["libprimecount-dev"]), .brew(["primecount"])]),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CMainQueue"),
    .target(name: "CLuaTrampolines", dependencies: ["CLua"]),
    .target(name: "Lua", dependencies: ["CLua", "CLuaTrampolines"], swiftSettings: settings),
    .target(name: "Platform", swiftSettings: settings),
    .target(name: "LineEditing", dependencies: ["Platform"], swiftSettings: settings),
    .target(
      name: "StateStore",
      dependencies: [
        "CSQLite", "Platform",
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "OrderedCollections", package: "swift-collections"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: settings),
    .target(
      name: "Domain",
      dependencies: [
        "CCurl", "CPrimecount", "Platform", "StateStore",
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "HashTreeCollections", package: "swift-collections"),
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      // In the program itself, as it is installed without a folder of resources beside it.
      resources: [.embedInCode("Resources/landmarks.json")],
      swiftSettings: settings),
    .target(
      name: "Scripting", dependencies: ["Lua", "Platform", "StateStore"], swiftSettings: settings),
    .target(
      name: "Scenarios",
      dependencies: [
        "Lua", "Platform", "Scripting", "StateStore",
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      resources: [
        .embedInCode("Vocabulary/vocabulary.lua"), .embedInCode("Vocabulary/values.lua"),
        .embedInCode("Vocabulary/expect.lua"), .embedInCode("Vocabulary/property.lua"),
        .embedInCode("Vocabulary/default_properties.lua"),
        .embedInCode("Reporters/HTML/report.html"), .embedInCode("Reporters/HTML/report.css"),
        .embedInCode("Reporters/HTML/report.js"),
      ],
      swiftSettings: settings),
    .target(
      name: "Bridge", dependencies: ["Domain", "Lua", "Platform", "Scripting", "StateStore"],
      swiftSettings: settings),
    .target(
      name: "Console",
      dependencies: [
        "CMainQueue", "LineEditing", "Lua", "Platform", "Scenarios", "Scripting",
        "StateStore",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "primerepl",
      dependencies: [
        "Bridge", "Console", "Domain", "Lua", "Scripting", "StateStore",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "notes", dependencies: ["Console"], path: "Examples/Notes",
      exclude: ["notes.scenario.lua"], swiftSettings: settings),
    .target(
      name: "TestSupport",
      dependencies: [.product(name: "FlyingFox", package: "FlyingFox")],
      path: "Tests/TestSupport", swiftSettings: settings),
    .target(
      name: "TerminalSupport",
      dependencies: ["TestSupport", .product(name: "Subprocess", package: "swift-subprocess")],
      path: "Tests/TerminalSupport", swiftSettings: settings),
    .executableTarget(
      name: "prompt-pictures", dependencies: ["TerminalSupport"], path: "Tests/PromptPictures",
      swiftSettings: settings),
    .executableTarget(
      name: "journal-writer", dependencies: ["Domain", "StateStore"], path: "Tests/JournalWriter",
      swiftSettings: settings),
    .testTarget(
      name: "LuaTests", dependencies: ["CLua", "CLuaTrampolines", "Lua", "TestSupport"],
      swiftSettings: settings),
    // With default settings, as a user's package has.
    .testTarget(name: "LuaGuideTests", dependencies: ["Lua"]),
    .testTarget(
      name: "LineEditingTests",
      dependencies: ["LineEditing", "Platform", "TerminalSupport", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "DomainTests",
      dependencies: [
        "Domain", "Platform", "StateStore", "TestSupport", "journal-writer",
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "BridgeTests",
      dependencies: [
        "Bridge", "Platform", "Scenarios", "Scripting", "StateStore", "TestSupport",
        .product(name: "FlyingFox", package: "FlyingFox"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ScenarioTests",
      dependencies: [
        "Bridge", "Domain", "Lua", "Platform", "Scenarios", "Scripting", "StateStore",
        "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ConsoleTests",
      dependencies: [
        "Bridge", "Console", "Domain", "LineEditing", "Lua", "Platform", "Scripting", "StateStore",
        "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "Console", "Domain", "notes", "Platform", "primerepl", "StateStore",
        "TerminalSupport", "TestSupport",
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      exclude: ["ExpectedOutput"],
      swiftSettings: settings),
  ]
)

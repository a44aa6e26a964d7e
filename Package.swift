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

// The parts of the kit that need other packages. All are enabled unless a package that depends on this one says which it
// uses: `traits: []` for `Lua`, `["StateStore"]`, or `["StateFile"]`. It then clones no other packages.
let stores = TargetDependencyCondition.when(traits: ["StateStore"])
let commands = TargetDependencyCondition.when(traits: ["Console"])

let package = Package(
  name: "primerepl",
  platforms: [.macOS(.v26)],
  products: [
    .library(name: "Lua", targets: ["Lua"]),
    .library(name: "StateStore", targets: ["StateStore"]),
    .library(name: "StateFile", targets: ["StateFile"]),
    .library(name: "PostgresJournal", targets: ["PostgresJournal"]),
    .library(name: "PrimereplLoading", targets: ["PrimereplLoading"]),
    .library(name: "Scripting", targets: ["Scripting"]),
    .library(name: "Scenarios", targets: ["Scenarios"]),
    .library(name: "Console", targets: ["Console"]),
    .executable(name: "primerepl", targets: ["primerepl"]),
  ],
  traits: [
    .default(enabledTraits: ["Console"]),
    .trait(name: "StateStore"),
    .trait(name: "StateFile", enabledTraits: ["StateStore"]),
    .trait(name: "Console", enabledTraits: ["StateFile"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.0"),
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
    // Only the headers of these three: the libraries are loaded at run time.
    .systemLibrary(name: "CPostgres", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .systemLibrary(
      name: "CMicrohttpd", providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(name: "CMainQueue"),
    .target(name: "PrimereplFoundation", path: "Sources/Foundation"),
    .target(name: "CLuaTrampolines", dependencies: ["CLua"]),
    .target(
      name: "Lua", dependencies: ["CLua", "CLuaTrampolines", "PrimereplFoundation"]),
    .target(
      name: "PrimereplPlatform", dependencies: ["PrimereplFoundation"], path: "Sources/Platform"),
    .target(
      name: "PrimereplLineEditing", dependencies: ["PrimereplFoundation", "PrimereplPlatform"],
      path: "Sources/LineEditing"),
    .target(
      name: "StateStore",
      dependencies: [
        "PrimereplFoundation",
        .product(name: "DequeModule", package: "swift-collections", condition: stores),
      ]),
    .target(
      name: "StateFile",
      dependencies: ["CSQLite", "PrimereplFoundation", "PrimereplPlatform", "StateStore"]),
    .target(
      name: "PostgresJournal",
      dependencies: ["CPostgres", "PrimereplFoundation", "PrimereplPlatform", "StateStore"],
      resources: [.embedInCode("schema.sql")]),
    .target(
      name: "PrimereplLoading",
      dependencies: [
        "CCurl", "PrimereplFoundation", "PrimereplPlatform", "StateStore",
        .product(name: "DequeModule", package: "swift-collections", condition: stores),
      ],
      path: "Sources/Loading"),
    .target(
      name: "PrimereplDomain",
      dependencies: [
        "CPrimecount", "PrimereplFoundation", "PrimereplLoading", "PrimereplPlatform",
        "StateStore",
        .product(name: "Subprocess", package: "swift-subprocess", condition: commands),
      ],
      path: "Sources/Domain",
      // In the program itself, as it is installed without a folder of resources beside it.
      resources: [.embedInCode("Resources/landmarks.json")]),
    .target(
      name: "Scripting",
      dependencies: [
        "Lua", "PrimereplFoundation", "PrimereplLoading", "PrimereplPlatform", "StateStore",
      ],
      resources: [
        .embedInCode("Declared/vocabulary.lua"),
        .embedInCode("Declared/pairs.lua"),
        .embedInCode("Declared/pattern.lua"),
        .embedInCode("Objects/ipairs.lua"),
        .embedInCode("Help/texts.lua"),
      ]),
    // What an app's page and the report of scenarios share.
    .target(
      name: "PrimereplWeb", path: "Sources/Web",
      resources: [.embedInCode("look.css"), .embedInCode("elements.js")]),
    .target(
      name: "Scenarios",
      dependencies: [
        "Lua", "PrimereplFoundation", "PrimereplPlatform", "PrimereplWeb", "Scripting",
        "StateStore",
        .product(name: "Subprocess", package: "swift-subprocess", condition: commands),
      ],
      resources: [
        .embedInCode("Vocabulary/vocabulary.lua"), .embedInCode("Vocabulary/values.lua"),
        .embedInCode("Vocabulary/expect.lua"), .embedInCode("Vocabulary/assertion.lua"),
        .embedInCode("Vocabulary/property.lua"),
        .embedInCode("Vocabulary/default_properties.lua"),
        .embedInCode("Reporters/HTML/report.html"), .embedInCode("Reporters/HTML/report.css"),
        .embedInCode("Reporters/HTML/report.js"),
      ]),
    .target(
      name: "PrimereplBridge",
      dependencies: [
        "Lua", "PrimereplDomain", "PrimereplLoading", "PrimereplPlatform", "Scripting",
        "StateStore",
      ],
      path: "Sources/Bridge"),
    // Needs neither Scenarios nor a session: compiled beside the former.
    .target(
      name: "PrimereplTerminal",
      dependencies: [
        "Lua", "PrimereplFoundation", "PrimereplLineEditing", "PrimereplPlatform", "Scripting",
        "StateStore",
      ],
      path: "Sources/Terminal"),
    .target(
      name: "PrimereplPage",
      dependencies: [
        "CMicrohttpd", "Lua", "PrimereplFoundation", "PrimereplLineEditing", "PrimereplPlatform",
        "PrimereplTerminal", "PrimereplWeb", "Scripting", "StateStore",
      ],
      path: "Sources/Page",
      resources: [
        .embedInCode("Browser/page.html"), .embedInCode("Browser/page.css"),
        .embedInCode("Browser/page.js"), .embedInCode("Browser/server.js"),
        .embedInCode("Browser/values.js"), .embedInCode("Browser/feature.js"),
        .embedInCode("Browser/call.js"), .embedInCode("Browser/list.js"),
        .embedInCode("Browser/chart.js"), .embedInCode("Browser/history.js"),
        .embedInCode("Browser/console.js"), .embedInCode("Browser/editor.js"),
      ]),
    .target(
      name: "Console",
      dependencies: [
        "CMainQueue", "Lua", "PrimereplFoundation", "PrimereplLineEditing", "PrimereplLoading",
        "PrimereplPage", "PrimereplPlatform", "PrimereplTerminal", "Scenarios", "Scripting",
        "StateFile",
        "StateStore",
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: commands),
        .product(name: "Subprocess", package: "swift-subprocess", condition: commands),
      ],
      resources: [
        .embedInCode("Project/Templates/app.lua"),
        .embedInCode("Project/Templates/app.scenario.lua"),
        .embedInCode("Project/Templates/luarc.json"),
        .embedInCode("Project/Templates/workflow.yml"),
        .embedInCode("Project/Templates/building.yml"),
        .embedInCode("Project/Templates/installing.yml"),
      ]),
    .executableTarget(
      name: "primerepl",
      dependencies: [
        "Console", "Lua", "PostgresJournal", "PrimereplBridge", "PrimereplDomain",
        "PrimereplFoundation", "Scripting", "StateStore",
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: commands),
      ]),
    .executableTarget(
      name: "notes", dependencies: ["Console"], path: "Examples/Notes",
      exclude: ["notes.scenario.lua"]),
    .target(
      name: "TestSupport",
      dependencies: [
        "PrimereplFoundation",
        .product(name: "FlyingFox", package: "FlyingFox", condition: commands),
        .product(name: "Subprocess", package: "swift-subprocess", condition: commands),
      ],
      path: "Tests/TestSupport"),
    .target(
      name: "SampleFeatures", dependencies: ["PrimereplFoundation", "StateStore"],
      path: "Tests/SampleFeatures"),
    .target(
      name: "SampleApp",
      dependencies: ["Lua", "PrimereplLoading", "Scripting", "StateStore", "TestSupport"],
      path: "Tests/SampleApp"),
    .executableTarget(
      name: "sample-app", dependencies: ["Console", "SampleApp"], path: "Tests/SampleProgram"),
    .target(
      name: "TerminalSupport",
      dependencies: [
        "PrimereplPlatform", "TestSupport",
        .product(name: "Subprocess", package: "swift-subprocess", condition: commands),
      ],
      path: "Tests/TerminalSupport"),
    .executableTarget(
      name: "journal-writer", dependencies: ["SampleFeatures", "StateFile", "StateStore"],
      path: "Tests/JournalWriter"),
    .testTarget(
      name: "LuaTests", dependencies: ["CLua", "CLuaTrampolines", "Lua", "TestSupport"]),
    .testTarget(name: "LuaGuideTests", dependencies: ["Lua"]),
    .testTarget(
      name: "LineEditingTests",
      dependencies: [
        "PrimereplLineEditing", "PrimereplPlatform", "TerminalSupport", "TestSupport",
      ]),
    .testTarget(
      name: "FoundationTests", dependencies: ["PrimereplFoundation"]),
    .testTarget(
      name: "PlatformTests",
      dependencies: ["PrimereplFoundation", "PrimereplPlatform", "TestSupport"]),
    .testTarget(
      name: "StateStoreTests", dependencies: ["SampleFeatures", "StateStore", "TestSupport"]),
    .testTarget(
      name: "LoadingTests",
      dependencies: [
        "PrimereplLoading", "SampleFeatures", "StateFile", "StateStore", "TestSupport",
        .product(name: "FlyingFox", package: "FlyingFox", condition: commands),
      ]),
    .testTarget(
      name: "DomainTests",
      dependencies: [
        "PrimereplDomain", "PrimereplLoading", "PrimereplPlatform", "StateFile", "StateStore",
        "TestSupport",
        .product(name: "FlyingFox", package: "FlyingFox", condition: commands),
        .product(name: "Subprocess", package: "swift-subprocess", condition: commands),
      ]),
    .testTarget(
      name: "ScriptingTests",
      dependencies: [
        "Lua", "PrimereplLoading", "SampleApp", "SampleFeatures", "Scripting", "StateStore",
        "TestSupport",
        .product(name: "FlyingFox", package: "FlyingFox", condition: commands),
      ]),
    .testTarget(
      name: "StateFileTests",
      dependencies: [
        "PrimereplPlatform", "SampleFeatures", "StateFile", "StateStore", "TestSupport",
        "journal-writer",
        .product(name: "Subprocess", package: "swift-subprocess", condition: commands),
      ]),
    .testTarget(
      name: "PostgresJournalTests",
      dependencies: ["PostgresJournal", "SampleFeatures", "StateStore", "TestSupport"]),
    // Every type in every journal.
    .testTarget(
      name: "CombinationTests",
      dependencies: [
        "Lua", "PostgresJournal", "primerepl", "SampleFeatures", "Scripting", "StateFile",
        "StateStore", "TestSupport",
        .product(name: "Subprocess", package: "swift-subprocess", condition: commands),
      ]),
    .testTarget(
      name: "BridgeTests",
      dependencies: [
        "PrimereplBridge", "PrimereplLoading", "PrimereplPlatform", "Scenarios", "Scripting",
        "StateStore", "TestSupport",
        .product(name: "FlyingFox", package: "FlyingFox", condition: commands),
      ]),
    .testTarget(
      name: "ScenarioTests",
      dependencies: [
        "Lua", "PrimereplLoading", "PrimereplPlatform", "SampleApp", "Scenarios", "Scripting",
        "StateStore", "TestSupport",
      ]),
    .testTarget(
      name: "TerminalTests",
      dependencies: [
        "Lua", "PrimereplLineEditing", "PrimereplLoading", "PrimereplPlatform",
        "PrimereplTerminal", "SampleApp", "SampleFeatures", "Scripting", "StateStore",
        "TestSupport",
      ]),
    .testTarget(
      name: "PageTests",
      dependencies: [
        "Lua", "PrimereplPage", "PrimereplPlatform", "Scenarios", "Scripting", "StateStore",
        "TestSupport",
      ]),
    .testTarget(
      name: "ConsoleTests",
      dependencies: [
        "Console", "Lua", "PrimereplLineEditing", "PrimereplLoading", "PrimereplPlatform",
        "PrimereplTerminal", "SampleApp", "SampleFeatures", "Scenarios", "Scripting",
        "StateStore", "TestSupport", "sample-app",
      ]),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "Console", "PostgresJournal", "PrimereplDomain", "PrimereplPlatform", "StateStore",
        "TerminalSupport", "notes", "primerepl", "TestSupport",
        .product(name: "FlyingFox", package: "FlyingFox", condition: commands),
        .product(name: "Subprocess", package: "swift-subprocess", condition: commands),
      ],
      exclude: ["ExpectedOutput"]),
  ]
)

for target in package.targets {
  switch target.type {
  // With default settings, as a user's package has.
  case .test where target.name == "LuaGuideTests": break
  case .regular, .executable, .test: target.swiftSettings = settings
  default: break
  }
}

// The app's modules are no libraries. Its benchmarks, a package of their own, build on them nevertheless.
if Context.environment["PRIMEREPL_BENCHMARKS"] != nil {
  package.products += [
    .library(name: "PrimereplDomain", targets: ["PrimereplDomain"]),
    .library(name: "PrimereplBridge", targets: ["PrimereplBridge"]),
  ]
}

import Lua
import PrimereplPlatform

/// The vocabulary of scenarios in a Lua state, which is written in Lua, and its functions for the worker.
struct Vocabulary {
  /// Ends the declarations; returns the options of the scenario to run, or nothing if it isn't declared.
  let prepare: LuaFunction
  /// Runs the chosen scenario with its `before`, a property with the steps that it is given.
  let run: LuaFunction
  /// Runs the functions of its `after`.
  let cleanUp: LuaFunction
  /// The path and the line of the innermost call in a file.
  let callingLine: LuaFunction
  /// Whether an error value is a failed expectation, which was recorded when it failed.
  let isFailure: LuaFunction
  /// The tasks that were spawned, with the paths and lines of the calls that spawned them.
  let spawnedTasks: LuaTable
  private let table: LuaTable

  /// Installs the vocabulary, to run the scenario of a name, with the key of its case in `each`, or to list all.
  ///
  /// `require` looks first in `folder`, that of the scenario file.
  init(
    in state: LuaState, host: LuaTable, running wanted: String?, caseKey: String?,
    folder: LuaString, seed: Int
  ) throws {
    let vocabulary = try Self.vocabulary.function(in: state)
      .call(host, wanted, caseKey, folder, seed, as: LuaTable.self)
    let values = try Self.values.function(in: state).call(vocabulary, as: LuaTable.self)
    try Self.expect.function(in: state).call(host, vocabulary, values, as: Void.self)
    try Self.assertion.function(in: state).call(host, values, as: Void.self)
    try vocabulary.get("begin", as: LuaFunction.self).call(as: Void.self)
    prepare = try vocabulary.get("prepare")
    run = try vocabulary.get("run")
    cleanUp = try vocabulary.get("clean_up")
    callingLine = try vocabulary.get("calling_line")
    isFailure = try vocabulary.get("is_failure")
    spawnedTasks = try vocabulary.get("spawned")
    table = vocabulary
  }

  /// The steps that a property's run has done.
  func steps() -> [String] {
    do {
      return try table.get("steps", as: [String]?.self) ?? []
    } catch {
      // Without the steps of a stopped run, nothing can be left out.
      return []
    }
  }

  /// The step of a property's run that hasn't ended; nil if there is none.
  func unfinishedStep() -> String? {
    do {
      return try table.get("unfinished_step", as: String?.self)
    } catch {
      // Without memory or time for it, the report has only the steps that ended.
      return nil
    }
  }

  /// The steps that are simpler than one, the simplest first.
  func simplerSteps(than step: String) -> [String] {
    do {
      return try table.get("simpler_steps", as: LuaFunction.self).call(step, as: [String].self)
    } catch {
      // Without memory or time for them, the step stays as it is.
      return []
    }
  }

  /// The files of the modules that were required.
  func requiredFiles() -> [String] {
    do {
      let files = try table.get("required_files", as: LuaFunction.self).call(as: [LuaString].self)
      return files.map { String(systemBytes: $0.bytes) }
    } catch {
      // A script replaced what `require` uses: its modules can't be known.
      return []
    }
  }

  /// The file and the line that are running; nil if no file is.
  func innermostCall() -> (file: LuaString, line: Int)? {
    do {
      let results = try callingLine.call()
      guard results.count == 2, case .string(let path) = results[0],
        case .integer(let line) = results[1]
      else { return nil }
      return (path, Int(line))
    } catch {
      // The code is being stopped, and the reason is reported elsewhere.
      return nil
    }
  }

  // Their names make calls in them no calls in files, which are what failures show.
  private static let vocabulary = CompiledChunk(
    PackageResources.vocabulary_lua, name: .text("vocabulary"), .optional)
  private static let values = CompiledChunk(
    PackageResources.values_lua, name: .text("values"), .optional)
  private static let expect = CompiledChunk(
    PackageResources.expect_lua, name: .text("expect"), .optional)
  private static let assertion = CompiledChunk(
    PackageResources.assertion_lua, name: .text("assertion"), .optional)
  private static let property = CompiledChunk(
    PackageResources.property_lua, name: .text("property"), .optional)

  /// The part that files without properties don't need, as a function.
  static func property(in state: LuaState) throws(LuaError) -> LuaFunction {
    try property.function(in: state)
  }
}

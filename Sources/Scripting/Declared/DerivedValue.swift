import Lua
import PrimereplPlatform
import StateStore

/// A value that a declaration computes from the state, with what is known of it.
final class DerivedValue {
  enum Source {
    /// A function of the state, and of the app if it reads other features.
    case function(LuaFunction, readsApp: Bool)
    /// A query, with its functions of a record; nil for one that counts all records.
    case query(DeclaredQuery, [LuaFunction?])

    var query: DeclaredQuery? { if case .query(let query, _) = self { query } else { nil } }
  }

  let path: String
  private let source: Source
  private let runtime: DeclaredRuntime
  private var results: DerivedResults
  /// Whether computing it last, or trying to, took long.
  private var tookLong = false
  /// The value that the outermost evaluation with this number has found: without it, each of a chain of values would ask
  /// the one below twice, whether its results hold and to compute itself.
  private var settled:
    (evaluation: Int, arguments: [StateValue], value: Result<StateValue, any Error>)?

  /// The time from which on computing a value takes long.
  ///
  /// Time of the processor: on a busy machine, what is quick isn't slow.
  private static let longTime = Duration.milliseconds(50)

  /// The number of results that are kept of a function with parameters, and of one without: the latter's present and
  /// earlier value make a line of changes.
  private static let resultLimits = (withParameters: 16, without: 2)

  init(_ path: String, _ source: Source, hasParameters: Bool = false, in runtime: DeclaredRuntime) {
    (self.path, self.source, self.runtime) = (path, source, runtime)
    results = DerivedResults(
      limit: hasParameters ? Self.resultLimits.withParameters : Self.resultLimits.without)
  }

  /// The derived values of a declaration: those that are fields, and then those with parameters.
  static func values(
    of declaration: FeatureDeclaration, in runtime: DeclaredRuntime
  ) -> [DerivedValue] {
    declaration.derived.map { derived in
      DerivedValue("\(declaration.name).\(derived.field.name)", derived.source, in: runtime)
    }
      + declaration.derivedFunctions.map { function in
        DerivedValue(
          "\(declaration.name).\(function.call.name)",
          .function(function.code, readsApp: function.readsApp), hasParameters: true, in: runtime)
      }
  }

  var readsApp: Bool { if case .function(_, true) = source { true } else { false } }

  /// The states in which a value is computed, and the objects that its code gets.
  struct Reading {
    let box: AnyFeatureState
    /// The states of all features, for a value that reads them; nil for another.
    var states: States?
    let makeObject: (StateView) throws -> StateObject
    /// The class of the list of a query, whose functions get its records.
    let listClass: (DeclaredList) throws -> ListClass
    /// The records that arguments refer to, by the indexes of these.
    var records: (StateView) throws -> [Int: AnyPushable] = { _ in [:] }
  }

  // MARK: - Values

  /// The value, which is computed unless it is known.
  func value(_ arguments: [StateValue] = [], in reading: Reading) throws -> StateValue {
    let (code, readsApp): (LuaFunction, Bool)
    switch source {
    case .query(let query, _): return try query.value(of: result(in: reading), in: reading.box)
    case .function(let function, let isOfApp): (code, readsApp) = (function, isOfApp)
    }
    var reading = reading
    if !readsApp { reading.states = nil }
    guard runtime.isEvaluating || results.readsDerivedValues else {
      return try known(arguments, in: reading) ?? compute(code, arguments, in: reading)
    }
    if runtime.isEvaluating, let settled, settled.evaluation == runtime.evaluationCount,
      settled.arguments == arguments
    {
      return try settled.value.get()
    }
    let value = Result {
      // Telling whether a result holds may need this value again, as computing it may.
      let earlier = try runtime.evaluate(path, readingApp: reading.states, ReadLog()) {
        known(arguments, in: reading)
      }
      return try earlier ?? compute(code, arguments, in: reading)
    }
    settled = (runtime.evaluationCount, arguments, value)
    return try value.get()
  }

  /// The summary that a line of changes compares; nil if it isn't known, and computing it takes long.
  func summary(in reading: Reading) throws -> DerivedSummary? {
    do {
      return try runtime.briefly {
        guard case .query(let query, _) = source else {
          let value = try value(in: reading)
          // One that caught the refusal of another is as it is without that one.
          return runtime.hasRefusedWork ? nil : .value(value)
        }
        guard query.unseenCount(in: reading.box) <= Self.maximumUnseenCount else { return nil }
        return try DerivedSummary(of: result(in: reading), query.kind)
      }
    } catch {
      if tookLong || runtime.hasRefusedWork { return nil }
      throw error
    }
  }

  /// The number of new records up to which a query has a result for a line of changes: some 50 ms.
  private static let maximumUnseenCount = 5_000

  /// Refuses to compute this value, or one that reads it, if nobody has asked for it by its name, and it took long last time.
  private func checkWork() throws(DeclarationError) {
    if tookLong { try runtime.refuseWorkIfBrief(path) }
  }

  private func known(_ arguments: [StateValue], in reading: Reading) -> StateValue? {
    results.value(arguments, in: reading.box, reading.states)
  }

  private func compute(
    _ code: LuaFunction, _ arguments: [StateValue], in reading: Reading
  ) throws -> StateValue {
    try checkWork()
    let log = ReadLog()
    let view = StateView(reading.box, log)
    defer { view.end() }
    let value = try timed {
      try runtime.evaluate(path, readingApp: reading.states, log) {
        try runtime.run(isRepeated: true, path, .derivedValues) {
          var given: [any LuaPushable] = [try reading.makeObject(view)]
          let records = try reading.records(view)
          given += arguments.enumerated().map { records[$0] ?? runtime.values.pushable($1) }
          if readsApp { given.append(AppObject(runtime)) }
          return try checked(code.call(with: given).first ?? .nil, of: code)
        }
      }
    }
    if !log.hasFailures { results.add(value, arguments, log) }
    return value
  }

  private func checked(_ value: LuaValue, of code: LuaFunction) throws -> StateValue {
    do {
      return try runtime.values.value(of: value)
    } catch let error as JSONError {
      throw DeclarationError(
        "bad_result",
        "\(try code.placeOfMessage())\(path) can't have this value: \(error.message)")
    }
  }

  private func timed<Result>(_ body: () throws -> Result) rethrows -> Result {
    let start = SystemThread.processorTime
    defer { tookLong = SystemThread.processorTime - start >= Self.longTime }
    do {
      return try body()
    } catch let error as LuaError where error.isStop {
      defer { tookLong = true }
      throw error
    }
  }

  // MARK: - Queries

  func result(in reading: Reading) throws -> QueryResult {
    guard case .query(let query, let functions) = source else { return .value(.none) }
    if query.isCurrent(in: reading.box) { return try result(of: query, reading) { _, _ in .none } }
    try checkWork()
    let listClass = try reading.listClass(query.list)
    let found = try timed {
      try runtime.evaluate(path, readingApp: nil, ReadLog()) {
        try runtime.run(isRepeated: true, path, .derivedValues) {
          try result(of: query, reading) { record, index in
            guard let code = functions[index] else { return .boolean(true) }
            let snapshot = RecordSnapshot(record)
            defer { snapshot.end() }
            let object = RecordObject(listClass.record, .snapshot(snapshot, of: listClass))
            return try checked(code.call(object, as: LuaValue.self), of: code)
          }
        }
      }
    }
    // From now on, only the records that differ take time.
    tookLong = false
    return found
  }

  private func result(
    of query: DeclaredQuery, _ reading: Reading,
    _ value: (DeclaredRecord, Int) throws -> StateValue
  ) throws -> QueryResult {
    do {
      return try query.result(in: reading.box, value)
    } catch let error as QueryError {
      throw DeclarationError(error.code, "\(path): \(error.message)")
    }
  }
}

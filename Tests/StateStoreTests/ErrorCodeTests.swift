import SampleFeatures
import Testing

@testable import StateStore

@Suite("Errors of the store")
struct ErrorCodeTests {
  private static let errors: [(any CodedError, String)] = [
    (StoreError.unknownPath("x", known: ["counter"]), "unknown_path"),
    (StoreError.nothingToUndo(.max, available: 0), "nothing_to_undo"),
    (StoreError.nothingToRedo(.min, available: 0), "nothing_to_redo"),
    (StoreError.outOfHistory(.max, reachable: 0...0), "out_of_history"),
    (StoreError.noStateFile, "no_state_file"),
    (StoreError.actedElsewhere, "acted_elsewhere"),
    (JournalError.lost("x"), "journal_lost"),
    (JournalError.otherVersion(reason: "x"), "other_version"),
    (JournalError.busy("x"), "state_busy"),
    (JournalError.foreign("x", program: "p", reason: "y"), "state_foreign"),
    (JournalError.newer("x", format: 2), "state_newer"),
    (JournalError.damaged("x", reason: "y"), "state_damaged"),
    (JournalError.unreadable("x", reason: "y"), "state_unreadable"),
    (JournalError.unwritable("x", reason: "y"), "state_unwritable"),
    (JournalError.replaced("x"), "state_unwritable"),
    (JournalError.readOnly("x"), "state_unwritable"),
    (JournalError.refused("x", reason: "y"), "state_unwritable"),
    (JournalError.unreachable("x", reason: "y"), "state_unreachable"),
    (StoredFormError.newer("notes", found: 3, known: 2), "newer_version"),
    (
      StoredFormError.otherType(DocumentError("notes.x", "y"), of: "notes", version: 1),
      "other_type"
    ),
    (StoredFormError.failedMigration(of: "notes", from: 1, "x"), "failed_migration"),
    (StoredFormError.badMigration(of: "notes", "x"), "failed_migration"),
    (RecordListError.duplicateIdentifier("1"), "duplicate_id"),
    (SecretError.forgotten, "secret_forgotten"),
    (SchemaError.badName("x"), "bad_name"),
    (SchemaError.duplicateFeature("x"), "duplicate_feature"),
    (SchemaError.duplicateField("x"), "duplicate_field"),
    (SchemaError.unlistedProperty("x", of: "notes"), "unlisted_property"),
    (SchemaError.unknownGroup("x", known: ["notes"]), "unknown_group"),
    (SchemaError.reservedField("x", list: "notes"), "reserved_field"),
    (SchemaError.unknownFeature("x"), "unknown_feature"),
    (SchemaError.unknownAction(of: "notes"), "unknown_action"),
    (SchemaError.duplicateRequest("x"), "duplicate_request"),
    (SchemaError.unlistedRequest("x"), "unlisted_request"),
    (SchemaError.goneRequest("x"), "gone_request"),
    (SchemaError.notAssignable("x", in: "notes"), "not_assignable"),
  ]

  @Test("have codes that never change, and a message of one line")
  func codes() {
    for (error, code) in Self.errors {
      #expect(error.code == code)
      #expect(!error.message.isEmpty && !error.message.contains("\n"), "\(code)")
    }
  }
}

@Suite("Errors of features")
struct FeatureErrorTests {
  @Test("have the codes of their cases' names in snake case")
  func codes() {
    #expect(CounterError.outOfRange(-1).code == "out_of_range")
    #expect(People.ErrorCode.allCases.map(\.code) == ["age_out_of_range", "not_found"])
  }

  @Test("show their message")
  func message() {
    #expect("\(PeopleError.notFound(id: 3))" == "There is no person 3.")
  }

  @Test("have no codes unless the feature declares some")
  func none() {
    #expect(NoErrorCode.allCases.isEmpty)
  }
}

import PrimereplBridge
import Scripting
import StateStore

extension App {
  /// The features, composed.
  static let schema: StoreSchema = {
    do throws(SchemaError) {
      return try StoreSchema(features: features, derived: derived)
    } catch {
      preconditionFailure(error.message)
    }
  }()

  /// The modules, in the order of help.
  static let scriptModules = features.map { ScriptModule($0) } + modules
}

public import StateStore

/// The app: its features, side by side.
public enum App {
  /// This list is the place where a feature is added.
  public static let features: [any Feature.Type] = [
    Counter.self, FavoritePrimes.self, Todo.self, Landmarks.self, Persons.self, SignUp.self,
  ]

  /// The features, composed.
  public static let schema: Schema = {
    do throws(SchemaError) {
      return try Schema(features: features, derived: [PrimeCard.field])
    } catch {
      preconditionFailure(error.message)
    }
  }()

  /// The program whose state files are the app's.
  public static let program = Program("primerepl", fileIdentifier: 0x7072_696D)
}

extension Store {
  /// Makes a store of the app in its initial state.
  public convenience init(historyLimit: Int = Store.defaultHistoryLimit) {
    self.init(App.schema, historyLimit: historyLimit)
  }
}

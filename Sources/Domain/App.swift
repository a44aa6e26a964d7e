public import StateStore

/// The app: its features, side by side.
public enum App {
  /// The app's features; add a new feature here.
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

  /// The program that the app's state files belong to.
  public static let program = Program("primerepl", fileIdentifier: 0x7072_696D)
}

extension Store {
  /// Makes a store of the app in its initial state.
  public convenience init(historyLimit: Int = Store.defaultHistoryLimit) {
    self.init(App.schema, historyLimit: historyLimit)
  }
}

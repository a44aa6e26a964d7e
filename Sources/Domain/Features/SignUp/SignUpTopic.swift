public import StateStore

extension SignUp {
  /// What people can choose to hear about; the raw value is the name they see.
  public enum Topic: String, CaseIterable, Codable, FieldValue, Sendable {
    /// Advanced Swift.
    case advancedSwift = "Advanced Swift"
    /// Composable Architecture.
    case composableArchitecture = "Composable Architecture"
    /// Concurrency.
    case concurrency = "Concurrency"
    /// Modern SwiftUI.
    case modernSwiftUI = "Modern SwiftUI"
    /// SwiftUI.
    case swiftUI = "SwiftUI"
    /// Testing.
    case testing = "Testing"
  }
}

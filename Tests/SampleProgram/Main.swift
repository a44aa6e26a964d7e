import Console
import SampleApp

/// The sample app as a command, which runs the scenarios that tests of recording write.
@main enum Main {
  static func main() {
    Console(
      "sample-app", features: SampleApp.features, derived: [PrimeCard.field],
      modules: [.oracle], services: { _ in SampleServices() }
    ).run()
  }
}

extension SignUp {
  /// The sign-up in a document of the state; passwords aren't read.
  struct Document: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
      case path, step, data, sheet, alert, submitted
    }

    private let path: [Step]
    private let data: Data
    private let sheet: Sheet?
    private let alert: Alert?
    private let submitted: Bool

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(ofKnown: CodingKeys.self)
      path = try container.casesIfPresent(of: Step.self, forKey: .path) ?? []
      data = try container.decodeIfPresent(DataDocument.self, forKey: .data)?.data ?? Data()
      sheet = try container.caseIfPresent(of: Sheet.self, forKey: .sheet)
      alert = try container.decodeIfPresent(AlertDocument.self, forKey: .alert)?.alert
      submitted = try container.decodeIfPresent(Bool.self, forKey: .submitted) ?? false
    }

    /// The state, once it is checked that the flow leads there.
    func state() throws(StateDocumentProblem) -> State {
      guard path.elementsEqual(Step.allCases.prefix(path.count)) else {
        let steps = Step.allCases.map(\.rawValue).joined(separator: ", ")
        throw StateDocumentProblem("signup.path", "the steps are \(steps), in that order")
      }
      if let sheet, path.last != .summary {
        throw StateDocumentProblem("signup.sheet", "\(sheet.rawValue) opens on the summary only")
      }
      do {
        try DataChange.topics(data.topics).check()
      } catch {
        throw StateDocumentProblem("signup.data.topics", "\(error)")
      }
      var state = State()
      (state.path, state.data, state.sheet) = (path, data, sheet)
      (state.alert, state.submitted) = (alert, submitted)
      return state
    }
  }

  private struct DataDocument: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
      case email, password, topics
      case passwordConfirmation = "password_confirmation"
      case firstName = "first_name"
      case lastName = "last_name"
      case phoneNumber = "phone_number"
    }

    let data: Data

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(ofKnown: CodingKeys.self)
      func text(_ key: CodingKeys) throws -> String {
        try container.decodeIfPresent(String.self, forKey: key) ?? ""
      }
      var data = Data()
      data.email = try text(.email)
      data.firstName = try text(.firstName)
      data.lastName = try text(.lastName)
      data.phoneNumber = try text(.phoneNumber)
      data.topics = try container.casesIfPresent(of: Topic.self, forKey: .topics) ?? []
      self.data = data
    }
  }

  private struct AlertDocument: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
      case title, problems
    }

    let alert: Alert

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(ofKnown: CodingKeys.self)
      let problems = try container.casesIfPresent(of: Problem.self, forKey: .problems)
      guard problems?.isEmpty != true else {
        throw StateDocumentProblem(decoder.codingPath, "an alert tells of at least one problem")
      }
      alert = problems.map(Alert.problems) ?? .noTopics
    }
  }
}

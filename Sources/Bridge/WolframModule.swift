public import Lua
public import PrimereplDomain
import Scripting
import StateStore

extension ScriptModule {
  static let wolfram = ScriptModule(
    "wolfram", services: Services.self,
    help: "Questions to Wolfram|Alpha; set WOLFRAM_APP_ID first."
  ) { module in
    let services = module.services
    module.property(
      "configured", help: "Whether an app id is set.", example: "print(wolfram.configured)"
    ) { services.wolfram.isConfigured }
    module.function(
      Services.queryWolfram, "text",
      help: "The whole answer: success, pods, did_you_mean, warnings, timed_out.",
      example: "print(wolfram.query(\"prime 17\").pods[1].title)")
    module.function(
      Services.shortWolframAnswer, "text", help: "The answer in a few words.",
      example: "print(wolfram.short_answer(\"distance to the moon\"))")
    module.function(
      Services.nthWolframPrime, "n", help: "The nth prime, according to Wolfram|Alpha.",
      example: "print(wolfram.nth_prime(17)) --> 59")
  }
}

extension WolframAnswer: LuaPushable {}

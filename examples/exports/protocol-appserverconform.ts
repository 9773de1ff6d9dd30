/** `@agentwire/protocol/appserverconform`: what a server of Codex's app-server protocol owes its clients, and what judges it. */
import {
  type AppServerChecker,
  type AppServerRuleId,
  appServerRules,
  type Ending,
  makeAppServerChecker
} from "@agentwire/protocol/appserverconform"

const checker: AppServerChecker = makeAppServerChecker()

// Both sides are heard, line by line. What breaks a rule is found where it is said.
checker.hear("client", '{"id":1,"method":"thread/loaded/list","params":{}}')
const found = checker.hear("server", '{"id":1,"result":{"data":[],"nextCursor":null}}')
const broken: ReadonlyArray<string> = found.map(({ rule }) => rule)
console.log(broken) // [ 'APP-ANSWER-003' ]

const rule: AppServerRuleId = "APP-ANSWER-003"
console.log(appServerRules[rule].requirement) // Until initialize is sent, every other request is answered with an error.

// What is still owed when a connection ends is found then, unless it was cut off.
const ending: Ending = { isWhole: true }
console.log(checker.end(ending)) // []

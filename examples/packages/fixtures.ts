import { findTape, loadTape, scenarios, tapes } from "@agentwire/fixtures"

console.log(tapes.length > 900, scenarios.length > 200) // true true

const name = { scenario: "tool_approved", version: "2.1.325" } as const
console.log(loadTape(name).header.runtime?.version) // 2.1.325
console.log(findTape(name)?.file.endsWith("tool_approved.tape.gz")) // true

/**
 * Our schemas and the validators of `@ag-ui/core` 1.0.0 accept the same values: those we
 * generate, and those values spoilt in up to three places.
 */
import { AgentCapabilitiesSchema, EventSchema, MessageSchema, RunAgentInputSchema } from "@ag-ui/core/schemas"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { casesOf } from "../../../fixtures/test/Sweep.ts"
import { AgentCapabilities } from "../../src/agui/Capabilities.ts"
import { AguiEvent, events } from "../../src/agui/Event.ts"
import { Message, messages } from "../../src/agui/Message.ts"
import { RunAgentInput } from "../../src/agui/RunInput.ts"
import { mutate, mutation, samples } from "./Mutation.ts"

const perMember = 40

const subjects = [
  { name: "event", ours: AguiEvent, theirs: EventSchema, members: Object.values(events), runs: 12_000 },
  { name: "message", ours: Message, theirs: MessageSchema, members: Object.values(messages), runs: 5_000 },
  { name: "input", ours: RunAgentInput, theirs: RunAgentInputSchema, members: [RunAgentInput], runs: 5_000 },
  {
    name: "capabilities",
    ours: AgentCapabilities,
    theirs: AgentCapabilitiesSchema,
    members: [AgentCapabilities],
    runs: 2_000
  }
]

describe.each(subjects)("$name", ({ ours, theirs, members, runs: many }) => {
  const runs = casesOf(many)
  const accepts = Schema.is(ours)
  const pool = members.flatMap((member: Schema.Codec<unknown>) =>
    samples(member, members.length === 1 ? 200 : perMember)
  )

  test("what we generate, they accept", () => {
    for (const value of pool) {
      expect(accepts(value), JSON.stringify(value)).toBe(true)
      expect(theirs.safeParse(value).success, JSON.stringify(value)).toBe(true)
    }
  })

  // No exceptions: the two agree on every value met so far.
  test("spoilt values are accepted by both or by neither", () => {
    const seen = { accepted: 0, rejected: 0 }
    fc.assert(
      fc.property(fc.constantFrom(...pool), fc.array(mutation, { minLength: 1, maxLength: 3 }), (value, mutations) => {
        const spoilt = mutations.reduce(mutate, value)
        const verdict = accepts(spoilt)
        seen[verdict ? "accepted" : "rejected"]++
        expect({ spoilt, accepted: verdict }).toEqual({ spoilt, accepted: theirs.safeParse(spoilt).success })
      }),
      { numRuns: runs, seed: 1 }
    )
    // Else the test says little.
    expect(seen.accepted).toBeGreaterThan(runs / 10)
    expect(seen.rejected).toBeGreaterThan(runs / 10)
  })
})

test("a decoded value is the parsed JSON", () => {
  for (const schema of Object.values(events)) {
    for (const value of samples(schema, 10)) expect(Schema.decodeUnknownSync(AguiEvent)(value)).toEqual(value)
  }
})

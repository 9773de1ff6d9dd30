/** Things people answer, and things nobody should, near enough to be mistaken for them. */
import fc from "fast-check"
import { expect } from "vitest"
import { suggestions } from "./Requests.ts"

const word = fc.constantFrom(
  "allow",
  "deny",
  "ALLOW",
  "yes",
  "maybe",
  "",
  "true",
  "approved ",
  "__proto__",
  "constructor"
)
const loose = fc.oneof(fc.jsonValue(), fc.boolean(), word)

/** Answers of any shape. `offered` are the suggestions that an answer may name. */
export const payloads = (offered: ReadonlyArray<object> = suggestions): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 1, arbitrary: fc.jsonValue() },
    { weight: 1, arbitrary: word },
    {
      weight: 4,
      arbitrary: fc.record(
        {
          approved: loose,
          ok: loose,
          decision: loose,
          behavior: loose,
          reason: loose,
          editedArgs: fc.oneof(loose, fc.constant({ command: "pwd" })),
          updatedInput: fc.oneof(loose, fc.constant({ answers: { Colour: "Red" } })),
          always: loose,
          remember: fc.oneof(loose, fc.subarray(["Bash(ls:*)", "Bash", "more 1"])),
          updatedPermissions: fc.oneof(
            loose,
            fc.subarray([...offered]),
            fc.constant([{ type: "setMode", mode: "bypassPermissions", destination: "session" }])
          ),
          answers: fc.oneof(loose, fc.constant({ "Which colour?": "Red" }), fc.constant(["Red", ["Round"]])),
          answer: loose,
          action: fc.oneof(loose, fc.constantFrom("accept", "decline")),
          content: fc.oneof(loose, fc.constant({ name: "Ada" }))
        },
        { requiredKeys: [] }
      )
    }
  )

/** Yes, said in so many words: what any payload that allows a tool has to contain. */
export const saysYes = (value: unknown): boolean => {
  if (typeof value === "string") {
    try {
      const inner: unknown = JSON.parse(value)
      if (typeof inner === "object") return saysYes(inner)
    } catch (error) {
      expect(error).toBeInstanceOf(SyntaxError)
    }
    return /^\s*(allow|approved?|accept|yes)\s*$/i.test(value)
  }
  if (typeof value !== "object" || value === null) return value === true
  const { approved, behavior, decision, ok } = value as Record<string, unknown>
  const yes = (each: unknown) =>
    each === true || (typeof each === "string" && /^(allow|approved?|accept|yes)$/.test(each))
  const votes = [approved, ok, decision, behavior].filter((each) => each !== undefined)
  return votes.length > 0 && votes.every(yes)
}

/** Two versions that meet say in words what they cannot do together. */
import { describe, expect, it } from "vitest"
import { lacks, versionProblem, versionsOf } from "../../src/link/Hello.ts"

const of = (link: number, oldest: number, program: string) => ({ link, oldest, program })

describe("versions", () => {
  it("fit when each understands what the other speaks", () => {
    expect(versionProblem(versionsOf("a"), versionsOf("b"))).toBeUndefined()
    expect(versionProblem(of(3, 2, "a"), of(2, 1, "b"))).toBeUndefined()
  })

  it("that have nothing in common say which of the two is too old", () => {
    expect(versionProblem(of(1, 1, "agentwire 1"), of(3, 2, "agentwire 3"))).toBe(
      "The gateway (agentwire 1) is too old for its runtime (agentwire 3): it speaks version 1 of the link, and the runtime none before 2. Update the gateway."
    )
    expect(versionProblem(of(3, 2, "agentwire 3"), of(1, 1, "agentwire 1"))).toContain("Update the runtime.")
  })
})

describe("features", () => {
  const own = { fork: "fork a thread", open: "open a thread" }

  it("are said in words where one side has more than the other", () => {
    expect(lacks(own, { program: "agentwire 1", features: own })).toEqual([])
    expect(lacks(own, { program: "agentwire 1", features: { open: "open a thread" } })).toEqual([
      "The runtime (agentwire 1) is older than this gateway. Until it is updated, nobody can: fork a thread."
    ])
    expect(lacks(own, { program: "agentwire 3", features: { ...own, merge: "merge threads" } })).toEqual([
      "This gateway is older than its runtime (agentwire 3). Until it is updated, it cannot: merge threads."
    ])
  })
})

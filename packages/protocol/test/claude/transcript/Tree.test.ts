import { describe, expect, it } from "vitest"
import { sessionBranches, sessionContext, type TranscriptSession } from "../../../src/claude/transcript/index.ts"
import { sessionOfScenario } from "./Kept.ts"
import { answer, call, compaction, prompt, reminder, result, saidIn, written } from "./Write.ts"

const contextIn = (session: TranscriptSession): ReadonlyArray<string> => sessionContext(session).map(({ uuid }) => uuid)

const leaves = (session: TranscriptSession): ReadonlyArray<readonly [string | undefined, string | undefined]> =>
  sessionBranches(session).map(({ from, leaf }) => [session.tree.nodes[from]?.uuid, session.tree.nodes[leaf]?.uuid])

describe("the chain", () => {
  it("goes on from where the person went back to, and the rest is another branch", () => {
    const session = written([
      prompt("p1", null, "1"),
      answer("a1", "p1", "m1", "One."),
      prompt("p2", "a1", "2"),
      answer("a2", "p2", "m2", "Two."),
      prompt("p3", "a1", "3"),
      answer("a3", "p3", "m3", "Three.")
    ])
    expect(saidIn(session)).toEqual(["> 1", "One.", "> 3", "Three."])
    expect(leaves(session)).toEqual([["a1", "a2"]])
    expect(saidIn(session, "a2")).toEqual(["> 1", "One.", "> 2", "Two."])
  })

  it("begins anew where the first prompt was said in another way", () => {
    const session = written([
      prompt("p1", null, "1"),
      answer("a1", "p1", "m1", "One."),
      prompt("p2", null, "1, please"),
      answer("a2", "p2", "m2", "Two.")
    ])
    expect(saidIn(session)).toEqual(["> 1, please", "Two."])
    expect(leaves(session)).toEqual([[undefined, "a1"]])
  })

  it("has the results of calls that ran beside each other, which hang on their own calls", () => {
    const session = written([
      prompt("p", null, "Go."),
      call("c1", "p", "m", "t1"),
      call("c2", "c1", "m", "t2"),
      call("c3", "c2", "m", "t3"),
      result("r2", "c2", "t2", "two"),
      result("r1", "c1", "t1", "one"),
      result("r3", "c3", "t3", "three"),
      answer("a", "r3", "n", "Done.")
    ])
    expect(saidIn(session)).toEqual(["> Go.", "t1()", "t2()", "t3()", "t2 = two", "t1 = one", "t3 = three", "Done."])
    expect(leaves(session)).toEqual([])
    expect(contextIn(session)).toEqual(["p", "c1", "c2", "c3", "r2", "r1", "r3", "a"])
  })

  it("goes past a parent that is not there", () => {
    const session = written([
      prompt("p1", null, "1"),
      answer("a1", "p1", "m1", "One."),
      prompt("p2", "gone", "2"),
      answer("a2", "p2", "m2", "Two.")
    ])
    expect(saidIn(session)).toEqual(["> 1", "One.", "> 2", "Two."])
    // The Agent SDK ends there, and so does what the model is given.
    expect(contextIn(session)).toEqual(["p2", "a2"])
  })

  it("ends although a file goes round in circles", () => {
    expect(saidIn(written([prompt("a", "b", "1"), prompt("b", "a", "2")]))).toEqual(["> 1", "> 2"])
    expect(saidIn(written([prompt("a", "a", "1")]))).toEqual(["> 1"])
    expect(contextIn(written([prompt("a", "b", "1"), prompt("b", "a", "2")])).toSorted()).toEqual(["a", "b"])
  })

  it("is that of the lines, wherever they are: 2.1.37 writes the second piece first", () => {
    const session = sessionOfScenario("exit_plan_mode", "2.1.37")
    const lines = session.tree.nodes.map(({ line }) => line)
    expect(lines).not.toEqual([...lines].sort((a, b) => a - b))
    expect(saidIn(session)).toEqual([
      "> Go.",
      "A plan.",
      "toolu_0001()",
      "toolu_0001 = User has approved exiting plan mode. You can now proceed.",
      "toolu_0002()",
      expect.stringContaining("toolu_0002 = File created"),
      "Done."
    ])
  })
})

describe("a compaction", () => {
  const before = [prompt("p1", null, "1"), answer("a1", "p1", "m1", "One."), reminder("h1", "a1")]

  it("drops nothing of what was said before it, though its parent is null", () => {
    const session = written([
      ...before,
      ...compaction("b", "h1"),
      prompt("p2", "b-summary", "2"),
      answer("a2", "p2", "m2", "Two.")
    ])
    expect(saidIn(session)).toEqual(["> 1", "One.", "> 2", "Two."])
    expect(contextIn(session)).toEqual(["b-summary", "p2", "a2"])
    expect(leaves(session)).toEqual([])
  })

  it("that preserves messages has them once, and the model has them behind the summary", () => {
    const preserved = {
      compactMetadata: { trigger: "manual", preservedMessages: { anchorUuid: "b-summary", uuids: ["a1"] } }
    }
    const session = written([
      ...before,
      ...compaction("b", "h1", preserved),
      // 2.1.197 hangs what follows on the last preserved line instead of the summary.
      prompt("p2", "h1", "2"),
      answer("a2", "p2", "m2", "Two.")
    ])
    expect(saidIn(session)).toEqual(["> 1", "One.", "> 2", "Two."])
    const behind = written([...before, ...compaction("b", "h1", preserved), prompt("p2", "b-summary", "2")])
    expect(contextIn(behind)).toEqual(["b-summary", "a1", "p2"])
  })

  it("that names a line from before the one before it drops nothing of what is between the two", () => {
    const session = written([
      ...before,
      ...compaction("b", "h1"),
      prompt("p2", "b-summary", "2"),
      answer("a2", "p2", "m2", "Two."),
      // A second compaction in one process: what was before the first is written again, and the next line hangs on it.
      ...before,
      reminder("h2", "h1"),
      ...compaction("c", "h2"),
      prompt("p3", "c-summary", "3"),
      answer("a3", "p3", "m3", "Three.")
    ])
    expect(saidIn(session)).toEqual(["> 1", "One.", "> 2", "Two.", "> 3", "Three."])
    expect(leaves(session)).toEqual([])
  })

  it.each(["2.1.270", "2.1.325"])("twice in one process of %s leaves one conversation", (version) => {
    const session = sessionOfScenario("compact_twice", version)
    expect(saidIn(session).filter((said) => said.startsWith("> "))).toEqual([
      "> 1",
      "> 2",
      "> 3",
      "> /compact",
      "> 4",
      "> 5",
      "> /compact again",
      "> 6"
    ])
    expect(leaves(session)).toEqual([])
  })

  it("of a branch that another process has not written to last is of that branch", () => {
    const session = written([
      prompt("p1", null, "1"),
      answer("a1", "p1", "m1", "One."),
      prompt("p2", "a1", "2"),
      answer("a2", "p2", "m2", "Two."),
      prompt("p3", "a1", "3"),
      answer("a3", "p3", "m3", "Three."),
      ...compaction("b", "a2"),
      prompt("p4", "b-summary", "4")
    ])
    expect(saidIn(session)).toEqual(["> 1", "One.", "> 2", "Two.", "> 4"])
  })
})

describe("going back", () => {
  const lines = [
    prompt("p1", null, "1"),
    answer("a1", "p1", "m1", "One."),
    prompt("p2", "a1", "2"),
    answer("a2", "p2", "m2", "Two."),
    { type: "last-prompt", leafUuid: "a1", rewound: true, cutUuid: "p2" }
  ]

  it("without another word takes what was said off the conversation", () => {
    const session = written(lines)
    expect(saidIn(session)).toEqual(["> 1", "One."])
    expect(leaves(session)).toEqual([["a1", "a2"]])
  })

  it("and saying something else leaves nothing to take off", () => {
    expect(saidIn(written([...lines, prompt("p3", "a1", "3")]))).toEqual(["> 1", "One.", "> 3"])
  })
})

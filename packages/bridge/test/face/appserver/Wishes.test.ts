/** What clients want of threads, put together from what they say at different times. */
import { assert, describe, it } from "vitest"
import { makeWishes } from "../../../src/face/appserver/Wishes.ts"

const untrusted = { approvalPolicy: "untrusted", sandbox: "workspace-write", model: "opus" }

describe("what is wanted for a turn", () => {
  it("is what it says, beside what was said before", () => {
    const wishes = makeWishes()
    wishes.begin("t", { ...untrusted, cwd: "/", effort: null })
    assert.deepEqual(wishes.forTurn("t", { approvalPolicy: "never" }), {
      wish: { approvalPolicy: "never", sandbox: "workspace-write" },
      before: untrusted
    })
  })

  it("is one sandbox, in the newest of its spellings", () => {
    const wishes = makeWishes()
    wishes.begin("t", untrusted)
    const sandboxPolicy = { type: "readOnly" }
    assert.deepEqual(wishes.forTurn("t", { sandboxPolicy }).wish, { approvalPolicy: "untrusted", sandboxPolicy })
    assert.deepEqual(wishes.forTurn("t", { permissions: ":workspace" }).wish, {
      approvalPolicy: "untrusted",
      permissions: ":workspace"
    })
  })

  it("is nothing where it says nothing: others may have changed what there is", () => {
    const wishes = makeWishes()
    wishes.begin("t", untrusted)
    assert.deepEqual(wishes.forTurn("t", { input: [], model: null }).wish, {})
    assert.deepEqual(wishes.forTurn("other", {}).wish, {})
  })

  it("is all that was wanted of a thread that was resumed, once", () => {
    const wishes = makeWishes()
    assert.deepEqual(wishes.later("t", { approvalPolicy: "never" }), { approvalPolicy: "never" })
    wishes.later("t", {})
    assert.deepEqual(wishes.forTurn("t", { effort: "low" }).wish, { approvalPolicy: "never", effort: "low" })
    assert.deepEqual(wishes.forTurn("t", {}).wish, {})
  })
})

it("of thousands of threads the newest are known", () => {
  const wishes = makeWishes()
  for (let number = 0; number <= 1000; number++) wishes.begin(String(number), untrusted)
  assert.deepEqual(wishes.later("0", {}), {})
  assert.deepEqual(wishes.later("1000", {}), untrusted)
})

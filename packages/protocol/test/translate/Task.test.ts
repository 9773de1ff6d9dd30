import { describe, expect, test } from "vitest"
import { foldEvents } from "../../src/agui/History.ts"
import { taskActivity } from "../../src/agui/write/Activity.ts"
import { taskId } from "../../src/claude/fold/Task.ts"
import { beginRun, step } from "../../src/translate/Translator.ts"
import {
  after,
  init,
  only,
  recorded,
  success,
  taskEnded,
  taskProgress,
  taskStarted,
  taskUpdated,
  translated
} from "./Lines.ts"

const bash = (task: string) => taskStarted(task, "c1", { task_type: "local_bash" })

describe("a task is an activity", () => {
  test("the first of it in a run is a snapshot, the rest are deltas", () => {
    const messages = [init(), bash("k"), taskProgress("k", { summary: "half" }), taskUpdated("k", { status: "paused" })]
    const activity = only(translated(messages), "ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA")
    expect(activity.map(({ type }) => type)).toEqual(["ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA", "ACTIVITY_DELTA"])
    for (const event of activity) expect(event).toMatchObject({ messageId: taskId("k"), activityType: taskActivity })
  })

  test("a client that joins in a later run gets a snapshot there, with all that is known", () => {
    const idle = after([init(), bash("k"), success()])
    const [running] = beginRun(idle, { runId: "r2" })
    const [, events] = step(running, taskProgress("k", { summary: "half" }))
    expect(events).toEqual([
      expect.objectContaining({
        type: "ACTIVITY_SNAPSHOT",
        content: expect.objectContaining({ taskId: "k", type: "local_bash", summary: "half", toolCallId: "c1" })
      })
    ])
  })

  test("what is said of a task nobody knows is a snapshot, too (2.1.37 sends only the end)", () => {
    const [snapshot] = only(translated([init(), taskEnded("k")]), "ACTIVITY_SNAPSHOT")
    expect(snapshot?.content).toMatchObject({ taskId: "k", status: "completed" })
  })

  test("nothing new is not said", () => {
    const messages = [init(), bash("k"), taskUpdated("k", { status: "running" })]
    expect(only(translated(messages), "ACTIVITY_DELTA")).toEqual([])
  })

  test("after its end it is forgotten", () => {
    expect(after([init(), bash("k"), taskEnded("k")]).fold.tasks.size).toBe(0)
    expect(after([init(), bash("k"), bash("l"), taskEnded("k")]).fold.tasks.size).toBe(1)
  })

  test("a shell of more than three seconds is one and no sub-agent (§5.37)", () => {
    expect(only(translated([init(), bash("k")]), "SUBAGENT_STARTED")).toEqual([])
  })
})

test("the deltas apply: at the client every recorded task has its last state (2.1.325)", () => {
  for (const scenario of ["background_bash", "subagent_background", "workflow_tools"]) {
    const messages = recorded({ scenario, version: "2.1.325" })
    const activities = foldEvents(translated(messages)).messages.filter(({ role }) => role === "activity")
    expect(activities.length).toBeGreaterThan(0)
    for (const each of messages) {
      if (each._tag !== "Known" || each.name !== "system/task_notification") continue
      const activity = activities.find(({ id }) => id === taskId(each.message.task_id))
      expect(activity).toMatchObject({ content: { status: each.message.status, summary: each.message.summary } })
    }
  }
})

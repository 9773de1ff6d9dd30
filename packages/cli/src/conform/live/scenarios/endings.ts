/** Runs that do not go to their end: stopped by request, or left by a client that hangs up. */

import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { isRecord } from "@agentwire/protocol/wire"
import { user } from "../Conversation.ts"
import { copilotKit, type LiveScenario, longPrompt, plainPrompt } from "../LiveScenario.ts"
import { endOf, isContent, parseJson } from "../Reading.ts"
import { type Answer, isSuccess } from "../Stream.ts"
import type { Run, Talk } from "../Talk.ts"

/** How long a stopped run may take to end. */
const stopMs = 15_000

/** How long to wait before asking again a thread that is still busy. */
const againMs = 200

/** Starts a long run and waits until it is under way. */
const underWay = async (talk: Talk, threadId: string): Promise<Run> => {
  const run = talk.run({ threadId, messages: [user(talk.prompt)] })
  if (!(await run.seen(isContent))) {
    await talk.finish(run)
    talk.skip("the run ended before it showed anything")
  }
  return run
}

/** Asks for a stop; skips when there was nothing to stop any more. */
const stop = async (talk: Talk, threadId: string, runId: string): Promise<void> => {
  const { body, ending, head } = await talk.ask({ ask: "stop", threadId, body: JSON.stringify({ runId }) }).done
  if (ending._tag !== "Ended" || head === undefined || !isSuccess(head)) {
    const how = head === undefined ? "not answered" : `answered with HTTP ${head.status}`
    talk.report("LIVE-STOP-001", `The request to stop was ${how}.`, body)
    return
  }
  const answer = parseJson(body)
  if (answer === undefined) talk.report("LIVE-STOP-001", "The answer to the request to stop is no JSON.", body)
  else if (isRecord(answer) && answer["stopped"] === false) talk.skip("the run had ended before it could be stopped")
}

/** Waits for the end of a stopped run. */
const stopped = async (talk: Talk, run: Run): Promise<Answer> => {
  const patience = Math.min(stopMs, talk.remainingMs / 2)
  const timer = setTimeout(() => {
    talk.report("LIVE-STOP-002", `${run.label}: it has not ended ${patience} ms after the stop.`)
    run.close()
  }, patience)
  const answer = await run.done
  clearTimeout(timer)
  return answer
}

/** Runs once more on the thread; asks again while it is refused as busy. */
const goesOn = async (talk: Talk, threadId: string, rule: "LIVE-STOP-004" | "LIVE-ABORT-001"): Promise<void> => {
  const until = Date.now() + talk.remainingMs / 2
  const judge = { dialect: talk.dialect } as const
  for (;;) {
    const run = talk.run({ threadId, messages: [user(plainPrompt)], judge })
    const timer = setTimeout(run.close, Math.max(1, until - Date.now()))
    const answer = await run.done
    clearTimeout(timer)
    const end = endOf(answer.events)
    if (answer.ending._tag === "Ended" && isSuccess(answer.head) && end._tag !== "Error" && end._tag !== "None") return
    // What a busy thread answers is judged elsewhere (LIVE-032).
    talk.forgive(run)
    if (Date.now() + againMs >= until || talk.signal.aborted) {
      const how = answer.head === undefined ? "no answer" : `HTTP ${answer.head.status}, ${answer.events.length} events`
      talk.report(rule, `No run got through afterwards; the last try had ${how}.`, answer.events.at(-1) ?? answer.body)
      return
    }
    await sleep(againMs)
  }
}

/** The scenarios. */
export const endings: ReadonlyArray<LiveScenario> = [
  {
    id: "LIVE-020",
    title: "stop",
    needs: "an answer that takes a while",
    prompt: longPrompt,
    transports: copilotKit,
    play: async (talk) => {
      const threadId = randomUUID()
      const run = await underWay(talk, threadId)
      await stop(talk, threadId, run.runId)
      await stopped(talk, run)
      await goesOn(talk, threadId, "LIVE-STOP-004")
    }
  },
  {
    id: "LIVE-021",
    title: "stop, for a client of dialect 1.0",
    needs: "an answer that takes a while",
    prompt: longPrompt,
    transports: copilotKit,
    play: async (talk) => {
      const threadId = randomUUID()
      const run = talk.run({ threadId, messages: [user(talk.prompt)], dialect: "1.0" })
      if (!(await run.seen(isContent))) talk.skip("the run ended before it showed anything")
      await stop(talk, threadId, run.runId)
      const { events } = await stopped(talk, run)
      const declared = events.some((event) => event["type"] === "RUN_STARTED" && event["protocolVersion"] !== undefined)
      if (!declared)
        talk.skip("the server declares no protocolVersion, so it speaks 0.0, which knows no cancelled runs")
      if (endOf(events)._tag === "Success") {
        talk.report("LIVE-STOP-003", "The stopped run is reported as a success.", events.at(-1))
      }
    }
  },
  {
    id: "LIVE-022",
    title: "stop of one thread of two",
    needs: "an answer that takes a while",
    prompt: longPrompt,
    transports: copilotKit,
    play: async (talk) => {
      const [one, other] = [randomUUID(), randomUUID()]
      const runs = [await underWay(talk, one), await underWay(talk, other)] as const
      await stop(talk, one, runs[0].runId)
      await stopped(talk, runs[0])
      const { ending, events, head } = await runs[1].done
      const end = endOf(events)
      if (ending._tag === "Ended" && isSuccess(head) && (end._tag === "Error" || end._tag === "Cancelled")) {
        talk.report("LIVE-STOP-006", `The run of the other thread ended as ${end._tag.toLowerCase()}.`, events.at(-1))
      }
    }
  },
  {
    id: "LIVE-023",
    title: "stop where nothing runs",
    prompt: plainPrompt,
    transports: copilotKit,
    play: async (talk) => {
      const call = { ask: "stop", threadId: randomUUID(), body: JSON.stringify({ runId: randomUUID() }) } as const
      const { body, ending, head } = await talk.ask(call).done
      if (ending._tag === "Ended" && isSuccess(head)) return
      const how = head === undefined ? "not answered" : `answered with HTTP ${head.status}`
      talk.report("LIVE-STOP-005", `The request to stop a thread that has no run was ${how}.`, body)
    }
  },
  {
    id: "LIVE-024",
    title: "abort by closing the connection",
    needs: "an answer that takes a while",
    prompt: longPrompt,
    play: async (talk) => {
      const threadId = randomUUID()
      const run = await underWay(talk, threadId)
      run.close()
      await run.done
      await goesOn(talk, threadId, "LIVE-ABORT-001")
    }
  }
]

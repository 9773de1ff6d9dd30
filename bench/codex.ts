/**
 * What decoding and translating Codex costs, as a ratio to splitting and `JSON.parse` alone in the same run:
 * `npm run bench:codex`. Bundled, interleaved and by processor time, as `translate.ts` is.
 */
import { Agui, Translate } from "@agentwire/protocol"
import { Dialogue, decodeLine } from "@agentwire/protocol/codex"

// Names and times as long as those of 0.166.0: a line is about 230 bytes.
const threadId = "01a1ee7b-23b4-78c2-a788-21ba8f9fa267"

const line = (message: object): string => JSON.stringify({ ...message, emittedAtMs: 1795002410508 })

/** A turn of the server's side: an answer of many pieces, said once more as a whole. */
const turn = (number: number, deltas: number): ReadonlyArray<string> => {
  const [turnId, itemId] = [`01a1ee7b-23c4-7d31-a8b2-${String(number).padStart(12, "0")}`, `msg_0a5c1f3e9b7d${number}`]
  const pieces = Array.from({ length: deltas }, (_, i) => `word ${i} and `)
  const said = { type: "agentMessage", id: itemId, text: pieces.join("") }
  const begun = { id: turnId, items: [], status: "inProgress", error: null }
  return [
    line({ method: "turn/started", params: { threadId, turn: begun } }),
    line({ method: "item/started", params: { item: { ...said, text: "" }, threadId, turnId } }),
    ...pieces.map((delta) => line({ method: "item/agentMessage/delta", params: { threadId, turnId, itemId, delta } })),
    line({ method: "item/completed", params: { item: said, threadId, turnId } }),
    line({ method: "turn/completed", params: { threadId, turn: { ...begun, status: "completed" } } })
  ]
}

/** As many pieces in an answer as `translate.ts` has: the longer it is, the less its beginning and its end cost. */
const lines = Array.from({ length: 100 }, (_, number) => turn(number, 500)).flat()

const floor = "JSON.parse"

/** A target is that of Claude Code's decoder and validated translation. */
const contenders: Readonly<Record<string, { readonly run: () => number; readonly target?: number }>> = {
  [floor]: { run: () => lines.reduce((sum, each) => sum + Object.keys(JSON.parse(each)).length, 0) },
  decodeLine: { run: () => lines.reduce((sum, each) => sum + decodeLine(each)._tag.length, 0), target: 1.6 },
  "Dialogue, step and encodeSse": {
    run: () => {
      const dialogue = new Dialogue()
      let state = Translate.initialState({ threadId: "t", runtime: "codex" })
      let sum = 0
      for (const each of lines) {
        const [next, events] = Translate.step(state, dialogue.hear("server", each))
        state = next
        for (const event of events) sum += Agui.encodeSse(event).length
      }
      return sum
    }
  }
}

const best = new Map<string, number>()
let written = 0
for (let round = 0; round < 25; round++)
  for (const [name, { run }] of Object.entries(contenders)) {
    const before = process.cpuUsage()
    written += run()
    const { system, user } = process.cpuUsage(before)
    best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, (system + user) / 1000))
  }
if (written === 0) throw new Error("nothing was read")

console.log(`\nCodex, text deltas of ${lines[5]?.length} B: ${lines.length} lines`)
for (const [name, time] of best) {
  const { target } = contenders[name] ?? {}
  const goal = target === undefined ? "" : `  (target: at most ${target.toFixed(2)})`
  const ratio = (time / (best.get(floor) ?? 1)).toFixed(2)
  console.log(`  ${name.padEnd(29)} ${time.toFixed(0).padStart(5)} ms  ${ratio.padStart(5)} x${goal}`)
}

import { it } from "vitest"
import * as Schema from "effect/Schema"
import * as Result from "effect/Result"
import { readFileSync, existsSync, readdirSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { driftOf } from "../../src/Drift.ts"
import { controlRequests } from "../../src/claude/ControlRequest.ts"
import { controlRequestMessages, controlResponses, ControlCancelRequest } from "../../src/claude/Control.ts"
it("x", () => {
  const files: Array<[string, string]> = []
  for (const f of readdirSync("/tmp/probe")) if (f.startsWith("rec-")) files.push([f, readFileSync("/tmp/probe/" + f, "utf8")])
  const d = "/work/main/packages/fixtures/recordings/"
  for (const f of readdirSync(d)) { try { files.push([f, gunzipSync(readFileSync(d + f), { finishFlush: 2 }).toString()]) } catch (e) { console.log(f, String(e)) } }
  const seen = new Map<string, number>(), count = new Map<string, number>()
  const note = (k: string) => seen.set(k, (seen.get(k) ?? 0) + 1)
  for (const [f, text] of files) {
    const req = new Map<string, string>()
    let scenario = ""
    for (const line of text.split("\n")) {
      let o: any, m: any
      try { o = JSON.parse(line); m = JSON.parse(o.line) } catch { continue }
      if (o.scenario !== scenario) { req.clear(); scenario = o.scenario }
      const check = (label: string, schema: any, v: unknown) => {
        count.set(label, (count.get(label) ?? 0) + 1)
        const r = Schema.decodeUnknownResult(schema as any)(v, { errors: "all" } as any) as any
        if (Result.isFailure(r)) note(`FAIL ${f.slice(0,12)} ${o.scenario} ${label} ${String((r.failure as any).message).slice(0, 300)}`)
        else for (const x of driftOf(schema, v)) note(`DRIFT ${label} ${x.path} ${JSON.stringify(x.example)?.slice(0, 80)}`)
      }
      if (m?.type === "control_request") {
        const s = m.request?.subtype
        req.set(o.from + m.request_id, s)
        const sc = (controlRequestMessages as any)[s]
        if (sc) check("req " + s, sc, m); else note("NOSCHEMA req " + s + " " + o.from)
      } else if (m?.type === "control_response") {
        check("envelope", (controlResponses as any)[m.response.subtype], m)
        const s = req.get((o.from === "cli" ? "host" : "cli") + m.response.request_id)
        if (m.response.subtype === "success") {
          const e = (controlRequests as any)[s as any]
          if (e) check("res " + s + " " , e.response, m.response.response ?? {}); else note("NOSCHEMA res " + s + " " + o.from + o.scenario)
        }
      } else if (m?.type === "control_cancel_request") check("cancel", ControlCancelRequest, m)
    }
  }
  console.log([...seen].map(([k, n]) => `${n} ${k}`).sort().join("\n"))
  console.log([...count].map(([k, n]) => `${k}=${n}`).join(" "))
})

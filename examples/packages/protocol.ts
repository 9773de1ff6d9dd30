import { decodeLine, drift, encodeLine } from "@agentwire/protocol/claude"

// A line of Claude Code, with a key that no schema knows.
const line =
  '{"type":"system","subtype":"session_state_changed","state":"idle","uuid":"1","session_id":"2","mood":"good"}'
const decoded = decodeLine(line)

if (decoded._tag === "Known" && decoded.name === "system/session_state_changed") {
  console.log(decoded.message.state) // idle
  console.log(drift(decoded.message)[0]?.path) // $.mood
  console.log(encodeLine(decoded.message) === `${line}\n`) // true
}

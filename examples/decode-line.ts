import { decodeLine, drift, encodeLine } from "@agentwire/protocol/claude"

const decoded = decodeLine(
  '{"type":"system","subtype":"session_state_changed","state":"idle","uuid":"1","session_id":"2","mood":"good"}'
)

switch (decoded._tag) {
  case "Known": // the message is the parsed JSON itself; `name` narrows it
    if (decoded.name === "system/session_state_changed") console.log(decoded.message.state) // idle
    console.log(drift(decoded.message)) // [ { path: '$.mood', example: 'good' } ]
    console.log(encodeLine(decoded.message)) // the same line again, key for key
    break
  case "Unknown": // a type or subtype no schema knows, kept whole
    console.log(decoded.type, decoded.subtype, decoded.raw)
    break
  case "Invalid": // what is wrong, and where
    console.log(decoded.error.code, decoded.error.path, decoded.error.message)
}

import { createReadStream } from "node:fs"
import { decodeChunks } from "@agentwire/protocol/claude"

let text = ""
for await (const decoded of decodeChunks(createReadStream("examples/tool_approved.ndjson"))) {
  if (decoded._tag !== "Known" || decoded.name !== "stream_event/content_block_delta") continue
  const { delta } = decoded.message.event
  if (delta.type === "text_delta") text += delta.text
}
console.log(text)

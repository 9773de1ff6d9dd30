import { Agui, Claude } from "@agentwire/protocol"
import { Schema } from "effect"

// Types and schemas have the same name.
const answer: Claude.ResponseOf<"can_use_tool"> = { behavior: "deny", message: "not on a Friday" }
console.log(Schema.is(Claude.PermissionResult)(answer)) // true

// What differs between CLI versions is one table.
console.log(Claude.fact("sdkUrl", "2.1.120"), Claude.fact("sdkUrl", "2.1.121")) // true false
console.log(Claude.answers("get_settings", "2.1.37")) // silent

// Any validator that reads Standard Schema can use ours.
const standard = Schema.toStandardSchemaV1(Agui.RunAgentInput)["~standard"]
console.log(await standard.validate({ threadId: "t", runId: "r", messages: [] }))

/** `@agentwire/bridge/program`: finds programs as a shell does. Loads nothing but Node. */
import { basename } from "node:path"
import { findProgram } from "@agentwire/bridge/program"

// By name in the PATH, or in folders of your own; undefined when there is none.
console.log(basename(findProgram("node") ?? ""), findProgram("node", { path: "/nowhere" })) // node undefined

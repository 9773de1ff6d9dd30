/**
 * `@agentwire/protocol/actions`: what a tool call does, whichever runtime makes it, and the call in one line.
 */
import {
  type CallOutcome,
  callActions,
  isFileRead,
  maxSummary,
  quoteShellWord,
  readShell,
  shellActions,
  summarise,
  type ToolCall,
  unwrapShell
} from "@agentwire/protocol/actions"

// Claude Code searches with a tool, Codex with a command: both are the same to a user interface.
const grep: ToolCall = { tool: "Grep", arguments: '{"pattern":"TODO","output_mode":"content"}' }
const command: ToolCall = { tool: "commandExecution", arguments: `{"command":"/bin/bash -lc 'rg TODO'"}` }
console.log(callActions(grep)) // [ { type: 'search', pattern: 'TODO' } ]
console.log(callActions(command)) // [ { type: 'search', pattern: 'TODO' } ]
console.log(isFileRead(callActions(command))) // true

// A call in one line of at most so many characters: while it runs, when it is done, when it was not let.
const found: CallOutcome = { content: "a.ts:1:TODO\nb.ts:7:TODO", failed: false }
console.log(summarise(grep)) // "TODO"
console.log(summarise(grep, found)) // 2 matches "TODO"
console.log(summarise(grep, { content: "", failed: true, denied: true })) // Denied: "TODO"
console.log(maxSummary) // 80

// Shell texts are read as far as they can be, and are commands otherwise.
console.log(shellActions("cat a | grep b")) // [ { type: 'read', path: 'a' } ]
console.log(shellActions("cat $(ls)")) // [ { type: 'command', command: 'cat $(ls)' } ]
console.log(unwrapShell("bash -lc 'npm test'")) // npm test
console.log(readShell("a | b")?.map(({ joint }) => joint)) // [ '', '|' ]
console.log(quoteShellWord("it's")) // 'it'\''s'

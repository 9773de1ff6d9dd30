/** Bodies as large as they may be: what clients send, and what somebody sends who wants the bridge to stand still. */

/** The token of the bridge. */
export const token = "token-of-the-bench-0123456789"

/** The routes that read a body, each with a body around something large. */
export const routes: ReadonlyArray<readonly [route: string, around: (large: string) => string]> = [
  ["POST /", (large) => run(large)],
  ["POST /agent/default/run", (large) => run(large)],
  ["POST /agent/default/connect", (large) => run(large)],
  ["POST / (envelope)", (large) => `{"method":"agent/run","params":{"agentId":"default"},"body":${run(large)}}`],
  ["POST /agent/default/stop/t", (large) => `{"runId":"r","x":${large}}`],
  ["POST /api/sessions", (large) => `{"threadId":"x","x":${large}}`],
  ["POST /api/sessions/t/messages", (large) => `{"content":${large}}`],
  ["POST /api/sessions/t/approvals/q", (large) => `{"behavior":"allow","updatedInput":{"x":${large}}}`],
  ["POST /api/sessions/t/tool-calls/c", (large) => `{"content":${large}}`],
  ["PUT /api/sessions/t/environment", (large) => `{"variables":{"A":${large}}}`],
  ["PUT /api/sessions/t/mcp", (large) => `{"servers":{"a":${large}}}`],
  ["POST /mcp/t", (large) => `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"x":${large}}}`]
]

const run = (large: string): string => {
  const list = large.startsWith('[{"id"') ? large : `[{"id":"m","role":"user","content":"Hi"}]`
  const content = large.startsWith('"') ? `[{"id":"m","role":"user","content":${large}}]` : list
  const state = large === list || large.startsWith('"') ? "{}" : large
  return `{"threadId":"bench","runId":"r","messages":${content},"tools":[],"context":[],"state":${state}}`
}

/** What is large, for a number of bytes. */
export const shapes: Readonly<Record<string, (bytes: number) => string>> = {
  "one text": (bytes) => `"${"a".repeat(bytes)}"`,
  "one image": (bytes) => `"${"iVBORw0KGgo/".repeat(bytes / 12)}"`,
  "text that is not ASCII": (bytes) => `"${"é😀".repeat(bytes / 6)}"`,
  escapes: (bytes) => `"${"\\u00e9".repeat(bytes / 6)}"`,
  "short escapes": (bytes) => `"${"\\n".repeat(bytes / 2)}"`,
  "texts of a kilobyte": (bytes) =>
    listOf(bytes, (at) => `{"id":"m${at}","role":"user","content":"${"a".repeat(1000)}"}`),
  "tiny messages": (bytes) => listOf(bytes, (at) => `{"id":"${at}","role":"user","content":""}`),
  keys: (bytes) => `{${listOf(bytes, (at) => `"${at}":0`).slice(1, -1)}}`,
  numbers: (bytes) => `[${"1,".repeat(bytes / 2)}1]`,
  "empty objects": (bytes) => `[${"{},".repeat(bytes / 3)}{}]`,
  deep: (bytes) => "[".repeat(bytes / 2) + "]".repeat(bytes / 2),
  "many that are deep": (bytes) => listOf(bytes, () => "[".repeat(150) + "]".repeat(150)),
  // As many values as may be, and no more.
  "allowed: messages": (bytes) =>
    listOf(bytes, (at) => `{"id":"m${at}","role":"user","content":"${"a".repeat(Math.floor(bytes / 4_900) - 45)}"}`),
  "allowed: tiny messages": () => listOf(4_900 * 38, (at) => `{"id":"${at}","role":"user","content":""}`),
  "allowed: keys": () => `{${listOf(19_000 * 8, (at) => `"${at}":0`).slice(1, -1)}}`,
  "allowed: empty objects": () => `[${"{},".repeat(9_900)}{}]`,
  "allowed: deep": () => listOf(130 * 300, () => "[".repeat(150) + "]".repeat(150))
}

const listOf = (bytes: number, make: (at: number) => string): string => {
  const items: Array<string> = []
  for (let [at, size] = [0, 0]; size < bytes; at++) {
    const item = make(at)
    items.push(item)
    size += item.length + 1
  }
  return `[${items.join(",")}]`
}

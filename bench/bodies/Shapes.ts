/** Bodies as large as they may be: what clients send, and what somebody sends who wants the bridge to stand still. */

/** The token of the bridge. */
export const token = "token-of-the-bench-0123456789"

/** The thread that has a session, to which the large bodies go. */
export const thread = "bench"

/** What is large: the messages of a run, another of its fields, or its state, which is any value elsewhere. */
export type Large = { readonly messages: string } | { readonly fields: string } | { readonly value: string }

/** What the agent waits for when a body comes. */
export type Waits = "for an answer" | "for a result"

/**
 * The routes that read a body, each with a body around something large, and what the agent is to wait for then. `:waiting`
 * is the name of that.
 */
export const routes: ReadonlyArray<
  readonly [route: string, around: (large: Large, waiting: string) => string, waits?: Waits]
> = [
  ["POST /", (large) => run(large)],
  ["POST /agent/default/run", (large) => run(large)],
  ["POST /agent/default/connect", (large) => run(large)],
  ["POST / (envelope)", (large) => `{"method":"agent/run","params":{"agentId":"default"},"body":${run(large)}}`],
  [`POST /agent/default/stop/${thread}`, (large) => `{"runId":"r","x":${anyOf(large)}}`],
  ["POST /api/sessions", (large) => `{"threadId":"x","x":${anyOf(large)}}`],
  [`POST /api/sessions/${thread}/messages`, (large) => `{"content":${anyOf(large)}}`],
  [`POST /api/sessions/${thread}/approvals/q`, (large) => `{"behavior":"allow","updatedInput":{"x":${anyOf(large)}}}`],
  [`POST /api/sessions/${thread}/tool-calls/c`, (large) => `{"content":${anyOf(large)}}`],
  [
    `POST /api/sessions/${thread}/approvals/:waiting`,
    (large) => `{"behavior":"allow","updatedInput":{"x":${anyOf(large)}}}`,
    "for an answer"
  ],
  [`POST /api/sessions/${thread}/tool-calls/:waiting`, (large) => `{"content":${anyOf(large)}}`, "for a result"],
  ["POST / (result)", (large, waiting) => result(large, waiting), "for a result"],
  [`PUT /api/sessions/${thread}/environment`, (large) => `{"variables":{"A":${anyOf(large)}}}`],
  [`PUT /api/sessions/${thread}/mcp`, (large) => `{"servers":{"a":${anyOf(large)}}}`],
  [
    `PUT /api/sessions/${thread}/mcp (a right one)`,
    (large) => `{"servers":{"a":{"type":"stdio","command":"true","env":{"A":${anyOf(large)}}}}}`
  ],
  [
    `POST /api/sessions/${thread}/mcp/a/message`,
    (large) => `{"message":{"jsonrpc":"2.0","method":"x","params":{"x":${anyOf(large)}}}}`
  ],
  [`POST /mcp/${thread}`, (large) => `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"x":${anyOf(large)}}}`]
]

const anyOf = (large: Large): string =>
  "value" in large ? large.value : "fields" in large ? `{${large.fields}}` : `[${large.messages}]`

const prompt = '{"id":"p","role":"user","content":"Hi"}'

/** The least that a run has besides messages. */
const others = `"tools":[],"context":[],"state":{}`

const run = (large: Large): string => {
  const messages = "messages" in large ? large.messages : prompt
  const more =
    "value" in large ? `"tools":[],"context":[],"state":${large.value}` : "fields" in large ? large.fields : others
  return `{"threadId":"${thread}","runId":"r","messages":[${messages}],${more}}`
}

/** A small run, whose prompt is one word. */
export const saying = (word: string): string =>
  `{"threadId":"${thread}","runId":"first","messages":[{"id":"f","role":"user","content":"${word}"}],"tools":[{"name":"show","description":"Shows.","parameters":{"type":"object"}}],"context":[]}`

/** A run that brings the result of a call. */
const result = (large: Large, call: string): string => {
  const content = JSON.stringify(
    "value" in large && large.value.startsWith('"') ? large.value.slice(1, -1) : anyOf(large)
  )
  const messages = `{"id":"f","role":"user","content":"Call"},{"id":"a","role":"assistant","toolCalls":[{"id":"${call}","type":"function","function":{"name":"show","arguments":"{}"}}]},{"id":"t","role":"tool","toolCallId":"${call}","content":${content}}`
  return run({ messages })
}

/** The most that one message, and all that is besides messages, may have. */
const part = { length: 9_900_000, values: 19_900 }

/** The most text that a run may tell the agent at once. */
const text = 3_900_000

/** What is large, for a number of bytes. */
export const shapes: Readonly<Record<string, (bytes: number) => Large>> = {
  // What clients send: a conversation, and a prompt at its end.
  "history, 2 kB each": (bytes) => history(bytes, (at) => said(at, "a".repeat(2000))),
  "history, 20 kB, escapes": (bytes) => history(bytes, (at) => said(at, '\\n\\"'.repeat(5000))),
  "history, not ASCII": (bytes) => history(bytes, (at) => said(at, "é😀漢".repeat(120))),
  "history, calls": (bytes) => history(bytes, called),
  "history, images": (bytes) => history(bytes, pictured),
  "history, 100,000 tiny": () => history(100_000 * 55, (at) => said(at, "")),
  "history, 5 texts of 10 MB": (bytes) => history(bytes, (at) => said(at, "a".repeat(part.length)), 9_900_000),
  // What is new, as much of it as may be.
  "new: a text": () => ({ messages: user("n", "a".repeat(text)) }),
  "new: an image": () => ({ messages: picture("n", part.length) }),
  "new: not ASCII": () => ({ messages: user("n", "é漢".repeat(text / 2)) }),
  "new: escapes": () => ({ messages: user("n", "\\u00e9".repeat(part.length / 6)) }),
  "new: short escapes": () => ({ messages: user("n", "\\n".repeat(text)) }),
  "new: 1,000 messages": () => ({ messages: listOf(999, (at) => user(`n${at}`, "a".repeat(text / 1000))) }),
  "new: 900 instructions": () => ({
    messages: `${listOf(900, (at) => `{"id":"s${at}","role":"system","content":"${at} ${"a".repeat(text / 1000)}"}`)},${prompt}`
  }),
  "context: a text": () => ({ fields: `"tools":[],"context":[{"description":"d","value":"${"a".repeat(text)}"}]` }),
  "context: 6,000 values": () => ({
    fields: `"tools":[],"context":[${listOf(6000, (at) => `{"description":"d${at}","value":"${"a".repeat(text / 6200)}"}`)}]`
  }),
  "tools: large schemas": () => ({ fields: tools(20, part.length) }),
  "tools: many": () => ({ fields: tools(1500, text) }),
  "forwarded: a text": () => ({ fields: `${others},"forwardedProps":{"x":"${"a".repeat(part.length)}"}` }),
  "forwarded: 19,900 keys": () => ({
    fields: `${others},"forwardedProps":{${listOf(part.values - 100, (at) => `"key${at}":0`)}}`
  }),
  "state: a text": () => ({ value: `"${"a".repeat(text)}"` }),
  "state: short escapes": () => ({ value: `"${"\\n".repeat(text)}"` }),
  "a text of 10 MB": () => ({ value: `"${"a".repeat(part.length)}"` }),
  "state: 19,900 keys": () => ({ value: `{${listOf(part.values, (at) => `"key${at}":0`)}}` }),
  "state: deep": () => ({ value: `[${listOf(130, () => "[".repeat(150) + "]".repeat(150))}]` }),
  // What nobody means well by.
  "one text": (bytes) => ({ value: `"${"a".repeat(bytes)}"` }),
  "one message": (bytes) => ({ messages: user("n", "a".repeat(bytes)) }),
  "tiny messages": (bytes) => history(bytes, (at) => said(at, "")),
  "new: tiny messages": (bytes) => ({ messages: listOf(bytes / 45, (at) => user(String(at), "")) }),
  keys: (bytes) => ({ value: `{${listOf(bytes / 10, (at) => `"${at}":0`)}}` }),
  numbers: (bytes) => ({ value: `[${"1,".repeat(bytes / 2)}1]` }),
  "numbers for messages": (bytes) => ({ messages: `${"1,".repeat(bytes / 2)}1` }),
  "empty objects": (bytes) => ({ messages: `${"{},".repeat(bytes / 3)}{}` }),
  deep: (bytes) => ({ value: "[".repeat(bytes / 2) + "]".repeat(bytes / 2) }),
  "one number": (bytes) => ({ value: "1".repeat(bytes) }),
  "one key": (bytes) => ({ value: `{"${"a".repeat(bytes)}":0}` })
}

/** So many tools of the page, with so many characters in all. */
const tools = (count: number, length: number): string =>
  `"context":[],"state":{},"tools":[${listOf(count, (at) => `{"name":"tool${at}","description":"${"d".repeat(length / count / 2)}","parameters":{"type":"object","properties":{"a":{"type":"string","description":"${"d".repeat(length / count / 2 - 200)}"}}}}`)}]`

const user = (id: string, content: string): string => `{"id":"${id}","role":"user","content":"${content}"}`

const said = (at: number, text: string): string =>
  `{"id":"m${at}","role":"${at % 2 === 0 ? "user" : "assistant"}","content":"${text}"}`

const picture = (id: string, length: number): string =>
  `{"id":"${id}","role":"user","content":[{"type":"text","text":"See"},{"type":"image","source":{"type":"data","mimeType":"image/png","value":"${"iVBORw0KGgo/".repeat(length / 12)}"}}]}`

const pictured = (at: number): string => (at % 2 === 0 ? picture(`m${at}`, 1_000_000) : said(at, "Nice."))

const called = (at: number): string =>
  at % 2 === 0
    ? `{"id":"m${at}","role":"assistant","toolCalls":[{"id":"c${at}","type":"function","function":{"name":"Bash","arguments":"{\\"command\\":\\"ls\\"}"}}]}`
    : `{"id":"m${at}","role":"tool","toolCallId":"c${at - 1}","content":"${"a".repeat(2000)}"}`

/** A conversation of so many bytes, and a prompt. */
const history = (bytes: number, make: (at: number) => string, least = 0): Large => {
  const items: Array<string> = []
  for (let [at, size] = [0, 0]; size < bytes - least || at === 0; at++) {
    const item = make(at)
    items.push(item)
    size += Buffer.byteLength(item) + 1
  }
  return { messages: `${items.join(",")},{"id":"last","role":"assistant","content":"Well."},${prompt}` }
}

const listOf = (count: number, make: (at: number) => string): string =>
  Array.from({ length: Math.floor(count) }, (_, at) => make(at)).join(",")

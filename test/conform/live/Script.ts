/** What the canned agent of the test servers says: a list of AG-UI events for every prompt of the live scenarios. */

/** An event. */
export type Event = Readonly<Record<string, unknown>>

/** A request, as far as the agent reads it. */
export interface Input {
  readonly threadId: string
  readonly runId: string
  readonly protocolVersion?: string
  readonly messages: ReadonlyArray<{ readonly id: string; readonly role: string; readonly content?: unknown }>
  readonly tools?: ReadonlyArray<{ readonly name: string }>
  readonly resume?: ReadonlyArray<{ readonly interruptId: string; readonly status: string }>
}

/** An interrupt that nobody has answered yet. */
export interface Pending {
  readonly id: string
  readonly reason: string
  readonly toolCallId: string
}

const numbers = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]

/** Events of a text, in these pieces. */
const text = (messageId: string, ...deltas: ReadonlyArray<string>): ReadonlyArray<Event> => [
  { type: "TEXT_MESSAGE_START", messageId, role: "assistant" },
  ...deltas.map((delta) => ({ type: "TEXT_MESSAGE_CONTENT", messageId, delta })),
  { type: "TEXT_MESSAGE_END", messageId }
]

const call = (toolCallId: string, toolCallName: string, args: object): ReadonlyArray<Event> => {
  const json = JSON.stringify(args)
  return [
    { type: "TOOL_CALL_START", toolCallId, toolCallName },
    { type: "TOOL_CALL_ARGS", toolCallId, delta: json.slice(0, 5) },
    { type: "TOOL_CALL_ARGS", toolCallId, delta: json.slice(5) },
    { type: "TOOL_CALL_END", toolCallId }
  ]
}

/** The events between the start and the end of a run, and its outcome. */
export interface Plan {
  readonly events: ReadonlyArray<Event>
  readonly outcome?: Event
}

const contentOf = (message: Input["messages"][number] | undefined): string =>
  typeof message?.content === "string" ? message.content : ""

/** What the agent does. Message ids derive from the run's, so that they differ between runs and threads. */
export const planOf = (input: Input, pending: ReadonlyArray<Pending>): Plan => {
  const id = (name: string) => `${name}-${input.threadId.slice(0, 8)}-${input.runId}`
  const says = (...deltas: ReadonlyArray<string>): Plan => ({ events: text(id("m"), ...deltas) })
  const last = input.messages.at(-1)
  const prompt = contentOf(last)
  const offers = (name: string) => input.tools?.some((tool) => tool.name === name) === true
  const pendingCalls = (...ids: ReadonlyArray<string>): Event =>
    input.protocolVersion === undefined ? { type: "success" } : { type: "success", pendingToolCallIds: ids }

  if (input.resume !== undefined) {
    const declined = input.resume.some(({ status }) => status === "cancelled")
    const content = declined ? "The user declined." : "The file is written."
    const results = pending.map(({ toolCallId }, i) => ({
      type: "TOOL_CALL_RESULT",
      messageId: id(`r${i}`),
      toolCallId,
      content,
      role: "tool"
    }))
    return { events: [...results, ...text(id("m"), content)] }
  }
  if (pending.length > 0) return { events: [], outcome: { type: "interrupt", interrupts: pending } }
  if (last?.role === "tool") return says("They returned: ", prompt)
  if (prompt.includes("Count from 1")) {
    return says(...Array.from({ length: 120 }, (_, i) => `${numbers[i % 10]}-hundred-and-${i}\n`))
  }
  if (prompt.includes("Repeat the following line")) {
    return says(...prompt.slice(prompt.indexOf(": ") + 2).split(/(?<=·)/))
  }
  if (prompt.includes("one of your own tools")) {
    const toolCallId = id("c")
    const result = { type: "TOOL_CALL_RESULT", messageId: id("r"), toolCallId, content: "README.md", role: "tool" }
    return { events: [...call(toolCallId, "ls", { path: "." }), result, ...text(id("m"), "There is ", "README.md.")] }
  }
  if (prompt.includes("conform_set_color") && offers("conform_set_color")) {
    const events = [...text(id("m"), "I will."), ...call(id("c"), "conform_set_color", { color: "teal" })]
    return { events, outcome: pendingCalls(id("c")) }
  }
  if (offers("conform_weather") && offers("conform_clock")) {
    const [one = [], two = []] = [
      call(id("c1"), "conform_weather", { city: "Oslo" }),
      call(id("c2"), "conform_clock", { city: "Lima" })
    ]
    // Interleaved: legal, and what a careless client mixes up.
    const events = one.flatMap((event, i) => [event, two[i] ?? event])
    return { events, outcome: pendingCalls(id("c1"), id("c2")) }
  }
  if (prompt.includes("my approval")) {
    const interrupt = { id: id("i"), reason: "tool_call", message: "Allow Write?", toolCallId: id("c") }
    const events = call(id("c"), "Write", { file_path: "conform-approval.txt", content: "hello" })
    return { events, outcome: { type: "interrupt", interrupts: [interrupt] } }
  }
  if (prompt.includes("Reply with this codeword")) return says(prompt.slice(prompt.indexOf(": ") + 2))
  if (prompt.includes("What is my codeword")) {
    const said = input.messages.map(contentOf).join(" ")
    return says(/codeword is (\S+)\./.exec(said)?.[1] ?? "I do not know.")
  }
  return says("Hello", " there.")
}

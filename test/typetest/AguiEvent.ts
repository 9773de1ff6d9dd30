/**
 * Our AG-UI types against those of `@ag-ui/core` 1.0.0, field by field. Nothing runs: `tsc
 * -p test` is the test. A failure names what differs, such as `"CUSTOM.value"`.
 */
import type * as Core from "@ag-ui/core"
import type { AgentCapabilities } from "../../packages/protocol/src/agui/Capabilities.ts"
import type { AguiEvent, events } from "../../packages/protocol/src/agui/Event.ts"
import type { Message, messages } from "../../packages/protocol/src/agui/Message.ts"
import type { RunAgentInput } from "../../packages/protocol/src/agui/RunInput.ts"

/** Fails to compile, and names a property, unless T has none. */
type None<T extends Record<string, never>> = T

/** The names T as properties: of a property the compiler prints the name, of a union often only an alias. */
type Named<T extends PropertyKey> = { [K in T]: "differs" }

/** Without `readonly`: their arrays are mutable, and a readonly array does not fit them. */
type Mutable<T> = T extends readonly (infer U)[]
  ? Array<Mutable<U>>
  : T extends object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T

/** Their events have an enum as `type`, which no string literal fits. */
type Plain<T> = T extends { type: infer E extends string } ? Omit<T, "type"> & { type: `${E}` } : T

type Names<T> = Extract<keyof T, string>

type Optional<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T]

/** The keys `Member.key` that only the first table has. */
type Extra<A, B> = {
  [M in Names<A> & Names<B>]: `${M}.${Exclude<Names<A[M]>, Names<B[M]>>}`
}[Names<A> & Names<B>]

/** The keys `Member.key` that are optional in the first table only. */
type OptionalOnlyIn<A, B> = {
  [M in Names<A> & Names<B>]: `${M}.${Extract<Exclude<Optional<A[M]>, Optional<B[M]>>, string>}`
}[Names<A> & Names<B>]

type Unfit<A, B> = { [K in Names<A> & Names<B>]: [A[K]] extends [B[K]] ? never : K }[Names<A> & Names<B>]

/** The keys `Member.key` whose values in the first table do not fit the second. */
type UnfitKeys<A, B> = {
  [M in Names<A> & Names<B>]: `${M}.${Unfit<Required<A[M]>, Required<B[M]>>}`
}[Names<A> & Names<B>]

// Events

type OurEvents = { [K in keyof typeof events]: Mutable<(typeof events)[K]["Type"]> }
type TheirEvents = { [K in Core.EventType as `${K}`]: Plain<Extract<Core.Event, { type: K }>> }

export type EventsAgree = [
  /** New upstream, and not here. */
  None<Named<Exclude<keyof TheirEvents, keyof OurEvents>>>,
  /** Here, and not upstream. */
  None<Named<Exclude<keyof OurEvents, keyof TheirEvents>>>,
  None<Named<Extra<TheirEvents, OurEvents>>>,
  None<Named<Extra<OurEvents, TheirEvents>>>,
  None<Named<OptionalOnlyIn<TheirEvents, OurEvents>>>,
  None<Named<OptionalOnlyIn<OurEvents, TheirEvents>>>,
  None<Named<UnfitKeys<TheirEvents, OurEvents>>>,
  /** Their `RunAgentInput` is what they decode to, in which `tools` and `context` are filled in. */
  None<Named<Exclude<UnfitKeys<OurEvents, TheirEvents>, "RUN_STARTED.input">>>,
  /** The union is the table. */
  None<Named<Exclude<AguiEvent["type"], keyof OurEvents>>>,
  None<Named<Exclude<keyof OurEvents, AguiEvent["type"]>>>
]

// Messages

type OurMessages = { [K in keyof typeof messages]: Mutable<(typeof messages)[K]["Type"]> }
type TheirMessages = { [K in Core.Role]: Extract<Core.Message, { role: K }> }

export type MessagesAgree = [
  None<Named<Exclude<keyof TheirMessages, keyof OurMessages>>>,
  None<Named<Exclude<keyof OurMessages, keyof TheirMessages>>>,
  None<Named<Extra<TheirMessages, OurMessages>>>,
  None<Named<Extra<OurMessages, TheirMessages>>>,
  None<Named<OptionalOnlyIn<TheirMessages, OurMessages>>>,
  None<Named<OptionalOnlyIn<OurMessages, TheirMessages>>>,
  None<Named<UnfitKeys<TheirMessages, OurMessages>>>,
  None<Named<UnfitKeys<OurMessages, TheirMessages>>>,
  None<Named<Exclude<Message["role"], Core.Role>>>
]

// What stands alone, and what is inside the others: named, so that a failure says which.

type Part<T, K> = Extract<T, { type: K }>
type Op<T, K> = Extract<T, { op: K }>
type Element<T> = Exclude<T, string> extends ReadonlyArray<infer U> ? U : never

type OurContent = Element<OurMessages["user"]["content"]>
type OurSource = Extract<OurContent, { type: "image" }>["source"]
type OurOperation = Element<OurEvents["STATE_DELTA"]["delta"]>
type OurOutcome = NonNullable<OurEvents["RUN_FINISHED"]["outcome"]>
type OurSubagentOutcome = NonNullable<OurEvents["SUBAGENT_FINISHED"]["outcome"]>
type OurInput = Mutable<RunAgentInput>

type Ours = {
  RunAgentInput: OurInput
  Tool: Element<NonNullable<OurInput["tools"]>>
  Context: Element<NonNullable<OurInput["context"]>>
  ResumeEntry: Element<NonNullable<OurInput["resume"]>>
  Interrupt: Element<Part<OurOutcome, "interrupt">["interrupts"]>
  TokenUsage: Element<NonNullable<OurEvents["RUN_FINISHED"]["usage"]>>
  ToolCall: Element<NonNullable<OurMessages["assistant"]["toolCalls"]>>
  FunctionCall: Element<NonNullable<OurMessages["assistant"]["toolCalls"]>>["function"]
} & { [K in OurContent["type"] as `ContentPart ${K}`]: Part<OurContent, K> } & {
  [K in OurSource["type"] as `PartSource ${K}`]: Part<OurSource, K>
} & { [K in OurOperation["op"] as `JsonPatchOperation ${K}`]: Op<OurOperation, K> } & {
  [K in OurOutcome["type"] as `RunFinishedOutcome ${K}`]: Part<OurOutcome, K>
} & { [K in OurSubagentOutcome["type"] as `SubagentFinishedOutcome ${K}`]: Part<OurSubagentOutcome, K> }

type Theirs = {
  RunAgentInput: Core.RunAgentInput
  Tool: Core.Tool
  Context: Core.Context
  ResumeEntry: Core.ResumeEntry
  Interrupt: Core.Interrupt
  TokenUsage: Core.TokenUsage
  ToolCall: Core.ToolCall
  FunctionCall: Core.FunctionCall
} & { [K in Core.ContentPart["type"] as `ContentPart ${K}`]: Part<Core.ContentPart, K> } & {
  [K in Core.PartSource["type"] as `PartSource ${K}`]: Part<Core.PartSource, K>
} & { [K in Core.JsonPatchOperation["op"] as `JsonPatchOperation ${K}`]: Op<Core.JsonPatchOperation, K> } & {
  [K in Core.RunFinishedOutcome["type"] as `RunFinishedOutcome ${K}`]: Part<Core.RunFinishedOutcome, K>
} & {
  [K in Core.SubagentFinishedOutcome["type"] as `SubagentFinishedOutcome ${K}`]: Part<Core.SubagentFinishedOutcome, K>
}

export type ObjectsAgree = [
  None<Named<Exclude<keyof Theirs, keyof Ours>>>,
  None<Named<Exclude<keyof Ours, keyof Theirs>>>,
  None<Named<Extra<Theirs, Ours>>>,
  None<Named<Extra<Ours, Theirs>>>,
  None<Named<OptionalOnlyIn<Theirs, Ours>>>,
  /** On the wire both may be absent; their type is the decoded one. */
  None<Named<Exclude<OptionalOnlyIn<Ours, Theirs>, "RunAgentInput.tools" | "RunAgentInput.context">>>,
  None<Named<UnfitKeys<Theirs, Ours>>>,
  None<Named<UnfitKeys<Ours, Theirs>>>
]

// Capabilities, by group, and by the groups inside `multimodal`

type Groups<T extends { multimodal?: unknown }> = { [K in Exclude<keyof T, "custom">]-?: NonNullable<T[K]> } & {
  [K in keyof NonNullable<T["multimodal"]> as `multimodal.${Extract<K, string>}`]-?: NonNullable<
    NonNullable<T["multimodal"]>[K]
  >
}
type OurCapabilities = Groups<Mutable<AgentCapabilities>>
type TheirCapabilities = Groups<Core.AgentCapabilities>

export type CapabilitiesAgree = [
  None<Named<Exclude<keyof TheirCapabilities, keyof OurCapabilities>>>,
  None<Named<Exclude<keyof OurCapabilities, keyof TheirCapabilities>>>,
  None<Named<Extra<TheirCapabilities, OurCapabilities>>>,
  None<Named<Extra<OurCapabilities, TheirCapabilities>>>,
  None<Named<OptionalOnlyIn<TheirCapabilities, OurCapabilities>>>,
  None<Named<OptionalOnlyIn<OurCapabilities, TheirCapabilities>>>,
  None<Named<UnfitKeys<TheirCapabilities, OurCapabilities>>>,
  None<Named<UnfitKeys<OurCapabilities, TheirCapabilities>>>,
  /** The groups themselves, `custom` among them. */
  None<Named<Exclude<Optional<AgentCapabilities>, Optional<Core.AgentCapabilities>>>>,
  None<Named<Exclude<Optional<Core.AgentCapabilities>, Optional<AgentCapabilities>>>>,
  None<Named<Unfit<Mutable<AgentCapabilities>, Core.AgentCapabilities>>>,
  None<Named<Unfit<Core.AgentCapabilities, Mutable<AgentCapabilities>>>>
]

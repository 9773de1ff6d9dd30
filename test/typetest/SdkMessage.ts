/**
 * Type-level test: every message the official SDK's `SDKMessage` lists is assignable to our type for its
 * `type` and `subtype`, and our tables lack none of them. `npx tsc -p test` runs it.
 *
 * Members are checked one by one, so a failure reads `Type '"system/status"' does not satisfy the
 * constraint 'never'`.
 */
import type { SDKActiveGoalMessage, SDKMessage } from "@anthropic-ai/claude-agent-sdk"
import type { Assistant } from "../../packages/protocol/src/claude/Assistant.ts"
import type { notices } from "../../packages/protocol/src/claude/Notice.ts"
import type { results } from "../../packages/protocol/src/claude/Result.ts"
import type { streamEvents } from "../../packages/protocol/src/claude/StreamEvent.ts"
import type { systemMessages } from "../../packages/protocol/src/claude/System.ts"
import type { User } from "../../packages/protocol/src/claude/User.ts"

/** Our types, by the key {@link KeyOf} gives a message. */
type Ours = { readonly assistant: Assistant; readonly user: User } & {
  readonly [K in keyof typeof notices]: (typeof notices)[K]["Type"]
} & {
  readonly [K in keyof typeof systemMessages as `system/${K}`]: (typeof systemMessages)[K]["Type"]
} & {
  readonly [K in keyof typeof results as `result/${K}`]: (typeof results)[K]["Type"]
} & {
  readonly [K in keyof typeof streamEvents as `stream_event/${K}`]: (typeof streamEvents)[K]["Type"]
}

/**
 * The official messages, one member per key: unions inside a member are taken apart where our tables are
 * keyed by them. `active_goal` is exported beside `SDKMessage` but not a member of it.
 */
type Theirs = Split<SDKMessage | SDKActiveGoalMessage>

type Split<M> = M extends { readonly event: infer E }
  ? E extends { readonly type: string }
    ? Omit<M, "event"> & { readonly event: E }
    : never
  : M extends { readonly subtype: infer S }
    ? S extends string
      ? Omit<M, "subtype"> & { readonly subtype: S }
      : never
    : M

type KeyOf<M> = M extends { readonly type: infer T extends string; readonly subtype: infer S extends string }
  ? `${T}/${S}`
  : M extends { readonly type: infer T extends string; readonly event: { readonly type: infer E extends string } }
    ? `${T}/${E}`
    : M extends { readonly type: infer T extends string }
      ? T
      : never

/**
 * Keys where the official type disagrees with the wire, and the wire wins. Each says why. Empty: where
 * the wire omits what the official type requires, our field is optional, and their type still fits ours.
 */
type Exceptions = never

/** Keys of official messages our tables lack. */
type Missing<M = Theirs> = M extends unknown ? Exclude<KeyOf<M>, keyof Ours> : never

/** Keys whose official message does not fit our type. */
type Misfit<M = Theirs> = M extends unknown
  ? KeyOf<M> extends infer K
    ? K extends Exceptions
      ? never
      : K extends keyof Ours
        ? [M] extends [Ours[K]]
          ? never
          : K
        : never
    : never
  : never

/** Fields of official messages our type does not name: open objects keep them, so assignability says nothing. */
type Unnamed<M = Theirs> = M extends unknown
  ? KeyOf<M> extends infer K extends keyof Ours & string
    ? `${K}: ${Exclude<keyof M, keyof Ours[K]> & string}`
    : never
  : never

/** An exception that is not needed any more. */
type Stale = Exclude<Exceptions, FitsNot>
type FitsNot<M = Theirs> = M extends unknown
  ? KeyOf<M> extends infer K extends keyof Ours
    ? [M] extends [Ours[K]]
      ? never
      : K
    : never
  : never

/** Compiles only for `never`; the error names what else there is. */
type Nothing<T extends never> = T

export type NoneMissing = Nothing<Missing>
export type NoneMisfits = Nothing<Misfit>
export type NoneUnnamed = Nothing<Unnamed>
export type NoneStale = Nothing<Stale>

/** Guards the test itself: that it sees the messages at all, and that a misfit or a gap would show. */
type Expect<T extends true> = T
type Equal<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

type BrokenStatus = { readonly type: "system"; readonly subtype: "status"; readonly status: number }
type NewSubtype = { readonly type: "system"; readonly subtype: "not_yet_invented" }

export type SeesEveryKind = Expect<
  Equal<
    Extract<
      KeyOf<Theirs>,
      "assistant" | "user" | "system/init" | "result/error_max_turns" | "stream_event/message_stop" | "active_goal"
    >,
    "assistant" | "user" | "system/init" | "result/error_max_turns" | "stream_event/message_stop" | "active_goal"
  >
>
export type SeesMisfit = Expect<Equal<Misfit<BrokenStatus>, "system/status">>
export type SeesUnnamed = Expect<Equal<Unnamed<BrokenStatus & { readonly novelty: string }>, "system/status: novelty">>
export type SeesGap = Expect<Equal<Missing<NewSubtype>, "system/not_yet_invented">>

/** An import the compiler cannot resolve is `any` and fits everything: make sure theirs are not. */
type IsAny<T> = 0 extends 1 & T ? true : false
type Member<Key extends string, M = Theirs> = M extends unknown ? (KeyOf<M> extends Key ? M : never) : never

export type SeesApiMessage = Expect<Equal<IsAny<Member<"assistant">["message"]>, false>>
export type SeesContent = Expect<Equal<IsAny<Member<"assistant">["message"]["content"][number]>, false>>
export type SeesUsage = Expect<Equal<IsAny<Member<"result/success">["usage"]>, false>>
export type SeesPrompt = Expect<Equal<IsAny<Member<"user">["message"]>, false>>
export type SeesEvent = Expect<Equal<IsAny<Member<"stream_event/content_block_delta">["event"]["delta"]>, false>>

/**
 * What the host asks the agent, and how the answers get back to whoever asked.
 *
 * Requests run in parallel, each with an id and a time limit. Measurements are trusted: a request that a version is
 * known not to answer fails at once instead of hanging (docs/wire/claude-code.md §6f). Assumptions are tried, with a
 * shorter limit: between two measured versions the CLI may well answer (§9).
 */
import * as Claude from "@agentwire/protocol/claude"
import { decodeResponse } from "@agentwire/protocol/claude"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Agent } from "./Agent.ts"

/** A control request that failed. */
export class ControlFailed extends Schema.TaggedError<ControlFailed>()("ControlFailed", {
  /**
   * Stable: `UNSUPPORTED` (this version does not know it), `TIMEOUT`, `REFUSED` (the agent said no), `BAD_ANSWER`,
   * `GONE`, `CHECKPOINTING_OFF` (files cannot be put back, for nothing was kept).
   */
  code: Schema.String,
  subtype: Schema.String,
  message: Schema.String
}) {}

/** The requests that the host makes of one agent. */
export interface HostRequests {
  /** Asks, and waits for the answer. */
  readonly request: <S extends Claude.ControlSubtype>(
    subtype: S,
    body?: Readonly<Record<string, unknown>>,
    limit?: Duration.Input
  ) => Effect.Effect<Claude.ResponseOf<S>, ControlFailed>
  /** Takes an answer of the agent. Answers nobody waits for are ignored: the CLI echoes some (§5.25). */
  readonly answer: (response: Claude.ControlResponse["response"]) => Effect.Effect<void>
  /** Fails everything that still waits: the agent is gone. */
  readonly failAll: (why: string) => Effect.Effect<void>
}

/** How long to wait for an answer, unless the caller says otherwise. */
const defaultControlLimit: Duration.Input = "30 seconds"

/** How long to wait for an answer that this version is assumed not to give. It comes within a second, or never. */
const defaultTrialLimit: Duration.Input = "10 seconds"

/** How patient the requests to an agent are. */
export interface ControlOptions {
  /** The limit of a request that this version is assumed not to answer, where the caller's is not shorter. */
  readonly trialLimit?: Duration.Input
}

/** The requests to an agent. */
export const makeHostRequests = (
  agent: Pick<Agent, "send" | "version">,
  { trialLimit = defaultTrialLimit }: ControlOptions = {}
): Effect.Effect<HostRequests> =>
  Effect.sync(() => {
    const waiting = new Map<
      string,
      { readonly subtype: string; readonly answer: Deferred.Deferred<unknown, ControlFailed> }
    >()
    let count = 0

    const request: HostRequests["request"] = (subtype, body = {}, limit = defaultControlLimit) =>
      Effect.gen(function* () {
        const { assumed, value } = Claude.lookupAnswer(subtype, agent.version)
        const missing = value === "unsupported" || value === "silent"
        if (missing && !assumed)
          return yield* new ControlFailed({
            code: "UNSUPPORTED",
            subtype,
            message: `Claude Code ${agent.version} does not answer ${subtype}.`
          })
        const patience = missing
          ? Duration.min(Duration.fromInputUnsafe(limit), Duration.fromInputUnsafe(trialLimit))
          : Duration.fromInputUnsafe(limit)
        const id = `agentwire-${++count}`
        const answer = yield* Deferred.make<unknown, ControlFailed>()
        waiting.set(id, { subtype, answer })
        const payload = yield* agent
          .send({ type: "control_request", request_id: id, request: { ...body, subtype } })
          .pipe(
            Effect.mapError(({ message }) => new ControlFailed({ code: "GONE", subtype, message })),
            Effect.andThen(Deferred.await(answer)),
            Effect.timeoutOrElse({
              duration: patience,
              orElse: () =>
                Effect.fail(
                  new ControlFailed({
                    code: "TIMEOUT",
                    subtype,
                    message: unanswered(agent.version, subtype, patience, missing)
                  })
                )
            }),
            Effect.ensuring(Effect.sync(() => waiting.delete(id)))
          )
        const decoded = decodeResponse(subtype, payload)
        return decoded._tag === "Known"
          ? decoded.value
          : yield* new ControlFailed({ code: "BAD_ANSWER", subtype, message: decoded.error.message })
      })

    const answer: HostRequests["answer"] = (response) =>
      Effect.suspend(() => {
        const asked = waiting.get(response.request_id)
        if (asked === undefined) return Effect.void
        return response.subtype === "success"
          ? Deferred.succeed(asked.answer, response.response)
          : Deferred.fail(asked.answer, refusal(asked.subtype, response.error ?? "It did not say why."))
      })

    const failAll: HostRequests["failAll"] = (why) =>
      Effect.forEach(
        [...waiting.values()],
        ({ answer, subtype }) => Deferred.fail(answer, new ControlFailed({ code: "GONE", subtype, message: why })),
        { discard: true }
      )

    return { request, answer, failAll }
  })

const unanswered = (version: string, subtype: string, limit: Duration.Duration, missing: boolean): string =>
  `Claude Code ${version} did not answer ${subtype} within ${Duration.format(limit)}${
    missing ? "; an older version is known not to answer it." : "."
  }`

/** The words of a CLI that does not know a request (§5.41). */
const unknownSubtype = /^unsupported control request/i

const refusal = (subtype: string, message: string): ControlFailed =>
  new ControlFailed({ code: unknownSubtype.test(message) ? "UNSUPPORTED" : "REFUSED", subtype, message })

/** The CLI's words for it are the same on all versions that were tried (docs/wire/claude-code.md §11). */
const notCheckpointed = /rewinding is not enabled/i

/** A failure by what it means: files of a session without checkpoints cannot be put back. */
export const rewindFailure = (failed: ControlFailed): ControlFailed =>
  failed.subtype === "rewind_files" && notCheckpointed.test(failed.message)
    ? new ControlFailed({
        code: "CHECKPOINTING_OFF",
        subtype: failed.subtype,
        message: "This session keeps no checkpoints of files. Make one with the option checkpointing."
      })
    : failed

/**
 * What an extension is asked and has not answered: each with a limit of time, and no more than so many at once. An answer
 * that comes too late is nobody's.
 */
import { parseJson } from "@agentwire/protocol/wire"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { type ExtensionFailed, extensionFailed } from "./ExtensionFailed.ts"
import type { AskedName, PortAnswer, ToExtension } from "./ExtensionPort.ts"

/** What is asked and not answered. */
export class ExtensionCalls {
  readonly #waiting = new Map<number, Deferred.Deferred<unknown, ExtensionFailed>>()
  readonly #send: (message: ToExtension) => void
  #last = 0

  constructor(send: (message: ToExtension) => void) {
    this.#send = send
  }

  /** How many wait for their answer. */
  get size(): number {
    return this.#waiting.size
  }

  /** Asks, and waits for the answer, no longer than so many milliseconds. */
  ask(name: AskedName, value: unknown, limitMs: number): Effect.Effect<unknown, ExtensionFailed> {
    return Effect.suspend(() => {
      const id = ++this.#last
      const answer = Deferred.makeUnsafe<unknown, ExtensionFailed>()
      this.#waiting.set(id, answer)
      this.#send({ tag: "ask", id, name, value: JSON.stringify(value ?? null) })
      return Deferred.await(answer).pipe(
        Effect.timeoutOrElse({
          duration: limitMs,
          orElse: () =>
            Effect.fail(
              extensionFailed("EXTENSION_TIMEOUT", `The extension did not answer \`${name}\` within ${limitMs} ms.`)
            )
        }),
        Effect.ensuring(Effect.sync(() => this.#waiting.delete(id)))
      )
    })
  }

  /** An answer has come. */
  answered({ id, ok, value }: PortAnswer): void {
    const answer = this.#waiting.get(id)
    if (answer === undefined) return
    Deferred.doneUnsafe(
      answer,
      ok ? Effect.succeed(parseJson(value)) : Effect.fail(extensionFailed("EXTENSION_FAILED", value))
    )
  }

  /** The extension is gone: nothing will be answered. */
  gone(why: string): void {
    for (const answer of [...this.#waiting.values()])
      Deferred.doneUnsafe(answer, Effect.fail(extensionFailed("EXTENSION_UNAVAILABLE", why)))
  }
}

/** Extensions for the time of a test, beside sessions that the test plays. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type { Scope } from "effect/Scope"
import {
  type ExtensionChoice,
  type ExtensionOptions,
  Extensions,
  layerExtensions
} from "../../src/extension/ExtensionHost.ts"
import type { Health } from "../../src/extension/Schemas.ts"
import type { Session } from "../../src/session/Session.ts"
import { Sessions } from "../../src/session/Sessions.ts"
import { type FakeSession, type FakeSessions, fakeSessions, wholeText } from "../FakeSessions.ts"

/** A folder that is gone with the scope. */
export const folder: Effect.Effect<string, never, Scope> = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "agentwire-extensions-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }))
)

let modules = 0

/** A module with this text, in a folder that is gone with the scope. */
export const moduleOf = (text: string): Effect.Effect<string, never, Scope> =>
  Effect.map(folder, (path) => {
    const file = join(path, `module-${++modules}.mjs`)
    writeFileSync(file, text)
    return file
  })

/** Sessions whose agent repeats what it is told. */
export const echoing = (): FakeSessions =>
  fakeSessions((fake: FakeSession, { prompt }) => {
    const said = prompt?.said.map(({ content }) => String(content)).join(" ") ?? ""
    fake.say(...wholeText(`answer-${fake.log.next()}`, "You said: ", said))
    fake.finish()
  })

/** The same sessions, each of which is one object, as real ones are: who observes them knows them by that. */
const lasting = (fakes: FakeSessions): Layer.Layer<Sessions> =>
  Layer.effect(
    Sessions,
    Effect.map(Sessions, (sessions) => {
      const known = new Map<string, Session>()
      const same = (session: Session): Session => {
        const found = known.get(session.threadId) ?? session
        known.set(session.threadId, found)
        return found
      }
      return {
        ...sessions,
        open: (threadId, choices) => Effect.map(sessions.open(threadId, choices), same),
        find: (threadId) => Effect.map(sessions.find(threadId), (found) => found && same(found))
      }
    })
  ).pipe(Layer.provide(fakes.layer))

/** What a test has of a bridge with extensions. */
export interface Hosted {
  readonly extensions: Extensions["Service"]
  readonly sessions: Sessions["Service"]
  /** The lines of the log so far. */
  readonly lines: ReadonlyArray<string>
  /** How one is. */
  readonly healthOf: (id: string) => Effect.Effect<Health>
}

/** A bridge with extensions, until the scope closes. */
export const hosting = (
  extensions: ReadonlyArray<ExtensionChoice>,
  { fakes = echoing(), ...options }: Omit<ExtensionOptions, "extensions"> & { readonly fakes?: FakeSessions } = {}
): Effect.Effect<Hosted, never, Scope> =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const log = Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void lines.push(line))])
    const scope = yield* Effect.scope
    const layer = layerExtensions({ extensions, ...options }).pipe(
      Layer.provide(lasting(fakes)),
      Layer.provideMerge(log)
    )
    const context = yield* Layer.buildWithScope(layer, scope)
    const service = Context.get(context, Extensions)
    return {
      extensions: service,
      sessions: Context.get(context, Sessions),
      lines,
      healthOf: (id) =>
        Effect.map(service.health, (all) => {
          const found = all.find((each) => each.id === id)
          if (found === undefined) throw new Error(`There is no extension ${id}, but ${all.map((each) => each.id)}.`)
          return found
        })
    }
  })

/** Waits until something of the health of an extension holds. */
export const healthUntil = (
  { healthOf }: Hosted,
  id: string,
  holds: (health: Health) => boolean
): Effect.Effect<Health> =>
  Effect.gen(function* () {
    for (;;) {
      const health = yield* healthOf(id)
      if (holds(health)) return health
      yield* Effect.sleep("20 millis")
    }
  })

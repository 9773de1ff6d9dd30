/**
 * All extensions of a bridge: who has which method, what is told, what is owed, and how each is.
 */
import { basename } from "node:path"
import { decodePayload } from "@agentwire/protocol/codec"
import { isRecord } from "@agentwire/protocol/wire"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { layerObservedSessions } from "../observe/SessionObserver.ts"
import { Sessions } from "../session/Sessions.ts"
import { type Documents, memoryDocuments } from "./Documents.ts"
import { type EventBus, makeEventBus } from "./EventBus.ts"
import { eventPattern } from "./EventPattern.ts"
import type { ExtensionEvent, ExtensionExport, PageRequest, PromptAccepted } from "./Extension.ts"
import { type ExtensionFailed, extensionFailed } from "./ExtensionFailed.ts"
import { beginExtension, type ExtensionLife, type LifeParts } from "./ExtensionLife.ts"
import { type ExtensionLimits, limitsFor } from "./ExtensionLimits.ts"
import type { OpenExtension } from "./ExtensionPort.ts"
import { inProcess } from "./InProcess.ts"
import { inWorker } from "./InWorker.ts"
import { KeptByExtension } from "./KeptByExtension.ts"
import { makeOwedAnswers, type NotedPrompt } from "./OwedAnswers.ts"
import { type Health, type Manifest, Page, PromptRequest } from "./Schemas.ts"
import { tellSessions } from "./SessionEvents.ts"

/** An extension that a bridge is to have: a module, which has a thread of its own, or one that a program brings along. */
export type ExtensionChoice = (
  | { readonly module: string; readonly extension?: undefined }
  | { readonly extension: ExtensionExport; readonly module?: undefined }
) & {
  /** What it is given as `config`: anything that JSON has. */
  readonly config?: unknown
  readonly limits?: Partial<ExtensionLimits>
}

/** The extensions that a bridge is to have. */
export interface ExtensionOptions {
  readonly extensions: ReadonlyArray<ExtensionChoice>
  /** Where they keep things, and what is owed to them. Default: in memory, and it ends with the bridge. */
  readonly documents?: Documents
}

/** The extensions of a bridge. */
export class Extensions extends Context.Service<
  Extensions,
  {
    /** The names of the methods there are now. */
    readonly methods: () => ReadonlySet<string>
    /** Calls a method. The answer is anything that JSON has. */
    readonly call: (
      method: string,
      params: Readonly<Record<string, unknown>>
    ) => Effect.Effect<unknown, ExtensionFailed>
    /** Calls back for the events whose type fits the pattern; undefined when that is none. */
    readonly subscribe: (pattern: string, listener: (event: ExtensionEvent) => void) => (() => void) | undefined
    /** Gives a prompt to a session; its answer goes to the extension that its source belongs to. */
    readonly prompt: (request: PromptRequest) => Effect.Effect<PromptAccepted, ExtensionFailed>
    /** Notes a prompt that somebody else is about to give: its answer goes to the extension that its source belongs to. */
    readonly note: (prompt: NotedPrompt) => Effect.Effect<void, ExtensionFailed>
    /** Asks an extension for a page. Undefined: it has none. */
    readonly page: (extension: string, request: PageRequest) => Effect.Effect<Page | undefined, ExtensionFailed>
    /** The folder of an extension's pages, if it has one. Fails when there is no such extension. */
    readonly pages: (extension: string) => Effect.Effect<string | undefined, ExtensionFailed>
    /** How each is, in the order in which they were chosen. */
    readonly health: Effect.Effect<ReadonlyArray<Health>>
  }
>()("@agentwire/bridge/Extensions") {}

/** The same sessions, and extensions that hear of them. Extensions that do not start show in `health`. */
export const layerExtensions = (options: ExtensionOptions): Layer.Layer<Sessions | Extensions, never, Sessions> =>
  Layer.unwrap(
    Effect.sync(() => {
      const bus = makeEventBus()
      // Where nobody can listen, nobody reads along.
      const observers = options.extensions.length === 0 ? [] : [tellSessions(bus)]
      return Layer.effect(Extensions, makeExtensions(bus, options)).pipe(
        Layer.provideMerge(layerObservedSessions(observers))
      )
    })
  )

/** How long a bridge waits for its extensions before it begins without some of them. */
const patience = "3 seconds"

const makeExtensions = (
  bus: EventBus,
  { documents = memoryDocuments(), extensions }: ExtensionOptions
): Effect.Effect<Extensions["Service"], never, Sessions | Scope.Scope> =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const owed = yield* makeOwedAnswers(sessions, documents)
    const kept = new KeptByExtension(documents)
    /** By their names, from when they were loaded. */
    const known = new Map<string, { readonly manifest: Manifest; readonly life: ExtensionLife }>()
    const all = () => [...known.values()]

    const admit: LifeParts["admit"] = (manifest, life) =>
      Effect.gen(function* () {
        const problem = conflictOf(
          all().map((each) => each.manifest),
          manifest
        )
        if (problem !== undefined) return yield* extensionFailed("EXTENSION_INVALID", problem)
        known.set(manifest.id, { manifest, life })
        yield* owed.continueOwed(manifest.id, life)
      })

    const want: LifeParts["want"] = (life, name, value) => {
      switch (name) {
        case "prompt":
          return Effect.flatMap(readPrompt(value), (request) => promptFor(request, life))
        case "interrupt":
          return interrupt(sessions, value)
        default:
          return kept.do(life.manifest()?.id ?? "", life.limits, name, value)
      }
    }

    const ownerOf = (source: string) => {
      const [route = ""] = source.split("/")
      return all().find(({ manifest }) => manifest.sourceRoutes.includes(route))
    }

    const promptFor = (request: PromptRequest, asker?: ExtensionLife): Effect.Effect<PromptAccepted, ExtensionFailed> =>
      Effect.suspend(() => {
        const { source } = request
        const owner = source === undefined ? undefined : ownerOf(source)
        if (source !== undefined && (owner === undefined || (asker !== undefined && owner.life !== asker)))
          return Effect.fail(nobodyFor(source, asker !== undefined))
        return owed.prompt(request, owner?.life)
      })

    const existing = (id: string) =>
      Effect.suspend(() => {
        const found = known.get(id)
        return found === undefined
          ? Effect.fail(extensionFailed("EXTENSION_NOT_FOUND", "There is no extension of this name."))
          : Effect.succeed(found)
      })

    const lives: Array<ExtensionLife> = []
    for (const [index, choice] of extensions.entries()) {
      const limits = limitsFor(choice.limits)
      const { config, module } = choice
      const place = module === undefined ? `extension-${index + 1}` : basename(module)
      lives.push(yield* beginExtension({ place, open: openOf(choice, limits), config, limits, bus, admit, want }))
    }
    yield* Effect.timeoutOption(
      Effect.forEach(lives, ({ settled }) => settled, { concurrency: "unbounded", discard: true }),
      patience
    )

    return {
      methods: () => new Set(all().flatMap(({ manifest }) => manifest.methods)),
      call: (method, params) =>
        Effect.suspend(() => {
          const found = all().find(({ manifest }) => manifest.methods.includes(method))
          if (found === undefined)
            return Effect.fail(extensionFailed("EXTENSION_METHOD_UNKNOWN", "No extension has a method of this name."))
          return found.life.ask("method", { method, params }, found.life.limits.methodMs)
        }),
      subscribe: (pattern, listener) => {
        const fits = eventPattern(pattern)
        return fits === undefined ? undefined : bus.subscribe(fits, listener)
      },
      prompt: (request) => promptFor(request),
      note: (prompt) =>
        Effect.suspend(() => {
          const owner = ownerOf(prompt.source)
          return owner === undefined ? Effect.fail(nobodyFor(prompt.source)) : owed.note(prompt, owner.life)
        }),
      page: (extension, request) =>
        Effect.gen(function* () {
          const { life, manifest } = yield* existing(extension)
          if (!manifest.handlesPages) return undefined
          const given = yield* life.ask("page", request, life.limits.pageMs)
          if (given === null) return undefined
          const shape = decodePayload(Page as Schema.Codec<Page>, given)
          return shape._tag === "Invalid"
            ? yield* extensionFailed("EXTENSION_FAILED", "The extension answered with something that is no page.")
            : (given as Page)
        }),
      pages: (extension) => Effect.map(existing(extension), ({ manifest }) => manifest.pages),
      health: Effect.forEach(
        lives,
        (life) =>
          Effect.map(life.health, (health) => ({
            ...health,
            counters: { ...health.counters, owed: owed.owedTo(health.id) }
          })),
        { concurrency: "unbounded" }
      )
    }
  })

const openOf = (choice: ExtensionChoice, { memoryMb }: ExtensionLimits): OpenExtension =>
  choice.module === undefined ? inProcess(choice.extension) : inWorker(choice.module, memoryMb)

/** Why an extension cannot have its names: another has one of them. */
const conflictOf = (others: ReadonlyArray<Manifest>, manifest: Manifest): string | undefined => {
  if (others.some(({ id }) => id === manifest.id)) return `Another extension has the id ${manifest.id}.`
  const route = manifest.sourceRoutes.find((each) => others.some(({ sourceRoutes }) => sourceRoutes.includes(each)))
  return route === undefined ? undefined : `Another extension has the source route ${route}.`
}

const nobodyFor = (source: string, isOwn = false): ExtensionFailed =>
  extensionFailed(
    "EXTENSION_BAD_REQUEST",
    `Nobody answers for the source ${JSON.stringify(source.slice(0, 100))}: it is in no \`sourceRoutes\`${isOwn ? " of this extension" : ""}.`
  )

const readPrompt = (value: unknown): Effect.Effect<PromptRequest, ExtensionFailed> =>
  Effect.suspend(() => {
    const shape = decodePayload(PromptRequest as Schema.Codec<PromptRequest>, value)
    return shape._tag === "Invalid"
      ? Effect.fail(extensionFailed("EXTENSION_BAD_REQUEST", `The prompt does not fit at ${shape.error.path}.`))
      : Effect.succeed(value as PromptRequest)
  })

const interrupt = (sessions: Sessions["Service"], value: unknown): Effect.Effect<boolean, ExtensionFailed> =>
  Effect.gen(function* () {
    const threadId = isRecord(value) ? value["threadId"] : undefined
    if (typeof threadId !== "string")
      return yield* extensionFailed("EXTENSION_BAD_REQUEST", "A session is named by a text.")
    const session = yield* Effect.mapError(sessions.find(threadId), ({ message }) =>
      extensionFailed("EXTENSION_PROMPT_REFUSED", message)
    )
    return session === undefined ? false : yield* session.stop()
  })

/**
 * A file that says which process owns something, so that a second one notices.
 *
 * The lock of a process that is gone is taken over. Whether it is gone is asked of this system's process table, and
 * where Linux tells when a process began, a process id that was reused is not taken for the old owner. A dead
 * owner's lock is only removed by whoever has a second lock, `<name>.takeover`, so that only one of many
 * finders gets it. It does not work across machines or containers that share the folder: they do not see each other's processes.
 */
import { randomUUID } from "node:crypto"
import { link, readFile, rm, writeFile } from "node:fs/promises"
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { codeOf, FileFailed, withFile } from "./AtomicFile.ts"
import { isRunning, thisProcess } from "./Processes.ts"

/** Another process that runs has the lock. */
export class LockHeld extends Schema.TaggedError<LockHeld>()("LockHeld", {
  message: Schema.String,
  path: Schema.String,
  pid: Schema.Finite
}) {}

const Owner = Schema.Struct({
  pid: Schema.Finite.check(Schema.isInt(), Schema.isGreaterThan(0)),
  /** When the process began, in the system's own count; null where the system does not tell. */
  began: Schema.NullOr(Schema.String),
  /** Tells two locks of one process apart. */
  token: Schema.String
})
type Owner = typeof Owner.Type

const decodeOwner = Schema.decodeUnknownResult(Schema.fromJsonString(Owner))

/** The tokens of the locks this process has. */
const ours = new Set<string>()

/** Takes a lock for as long as the scope lasts. */
export const lockFile = (path: string): Effect.Effect<void, LockHeld | FileFailed, Scope.Scope> =>
  Effect.acquireRelease(acquire(resolve(path)), (token) => release(resolve(path), token)).pipe(Effect.asVoid)

/** How often somebody else may be faster before this gives up. */
const attempts = 10

const acquire = (path: string): Effect.Effect<string, LockHeld | FileFailed> => {
  const owner: Owner = { ...thisProcess(), token: randomUUID() }
  // Before the lock exists: otherwise other code of this process could find it and take it for a dead owner's.
  ours.add(owner.token)
  return acquireFor(path, owner).pipe(
    Effect.as(owner.token),
    Effect.onError(() => Effect.sync(() => ours.delete(owner.token)))
  )
}

const acquireFor = Effect.fnUntraced(function* (
  path: string,
  owner: Owner
): Effect.fn.Return<void, LockHeld | FileFailed> {
  const guard = `${path}.takeover`
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (yield* place(path, owner)) return
    const found = yield* deadText(path)
    if (found === undefined) continue
    if (yield* place(guard, owner)) {
      // Somebody else may have taken it over since it was read.
      if ((yield* textOf(path)) === found) yield* remove(path)
      yield* remove(guard)
      // Whoever has the guard gets the lock, so it is held; a guard whose owner died is in nobody's hands.
    } else if ((yield* deadText(guard)) !== undefined) yield* remove(guard)
  }
  return yield* new FileFailed({ code: "EBUSY", message: `${path} cannot be taken: other processes are faster`, path })
})

/** The text of a lock whose owner is gone; undefined when there is no lock. Fails when the owner runs. */
const deadText = Effect.fnUntraced(function* (
  path: string
): Effect.fn.Return<string | undefined, LockHeld | FileFailed> {
  const text = yield* textOf(path)
  const owner = decodeOwner(text)
  if (Result.isFailure(owner) || !runs(owner.success)) return text
  const { pid } = owner.success
  return yield* new LockHeld({ message: `Process ${pid} uses it. If that is not so, delete ${path}.`, path, pid })
})

/** Creates a lock with its text in one step. False when there was one already. */
const place = (path: string, owner: Owner): Effect.Effect<boolean, FileFailed> => {
  const draft = `${path}.${owner.token}`
  return withFile(path, async () => {
    try {
      await writeFile(draft, JSON.stringify(owner), { flag: "wx", mode: 0o600 })
      await link(draft, path)
      return true
    } catch (error) {
      if (codeOf(error) === "EEXIST") return false
      throw error
    } finally {
      await rm(draft, { force: true })
    }
  }).pipe(Effect.uninterruptible)
}

const remove = (path: string): Effect.Effect<void, FileFailed> => withFile(path, () => rm(path, { force: true }))

const release = (path: string, token: string): Effect.Effect<void> =>
  textOf(path).pipe(
    Effect.flatMap((text) => {
      const owner = decodeOwner(text)
      return Result.isSuccess(owner) && owner.success.token === token ? remove(path) : Effect.void
    }),
    Effect.catch(({ message }) => Effect.logWarning(`The lock ${path} could not be removed: ${message}`)),
    Effect.ensuring(Effect.sync(() => ours.delete(token)))
  )

const textOf = (path: string): Effect.Effect<string | undefined, FileFailed> =>
  withFile(path, () => readFile(path, "utf8")).pipe(
    Effect.catchIf(
      ({ code }) => code === "ENOENT",
      () => Effect.undefined
    )
  )

const runs = ({ began, pid, token }: Owner): boolean =>
  pid === process.pid ? ours.has(token) : isRunning({ pid, began })

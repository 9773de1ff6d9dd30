/** The store of `agentwire serve`, with what earlier versions kept. */
import {
  type ImportReport,
  importOldFiles,
  layerSqliteStore,
  type Store,
  type StoreFailed
} from "@agentwire/bridge/store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { DataChoice } from "./ServeOptions.ts"

/** Where threads are kept. Those of earlier versions are there when it is ready. */
export const layerData = ({ durability, folder, imports }: DataChoice, cwd: string): Layer.Layer<Store, StoreFailed> =>
  Layer.provideMerge(
    Layer.effectDiscard(
      Effect.forEach(
        imports,
        (index) => Effect.flatMap(importOldFiles({ index, cwd }), (report) => tell(index, report)),
        {
          discard: true
        }
      )
    ),
    layerSqliteStore({ folder, durability })
  )

/** Tells what came of taking threads over, where anything did. */
const tell = (index: string, { outcome, threads, unreadable }: ImportReport): Effect.Effect<void> =>
  Effect.gen(function* () {
    if (outcome === "in_use")
      yield* Effect.logWarning(`An earlier version of agentwire is using ${index}: its threads are not taken over.`)
    if (threads.length > 0) yield* Effect.log(`${threads.length} threads of ${index} were taken over.`)
    for (const { path, reason } of unreadable) yield* Effect.logWarning(`${path} was not taken over: it is ${reason}.`)
  })

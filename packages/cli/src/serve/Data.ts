/** The store of `agentwire serve`, with what earlier versions kept. */
import { layerSqliteStore, type Store, type StoreFailed } from "@agentwire/bridge/store"
import type * as Layer from "effect/Layer"
import type { DataChoice } from "./ServeOptions.ts"

/** Where threads are kept. */
export const layerData = ({ durability, folder }: DataChoice): Layer.Layer<Store, StoreFailed> =>
  layerSqliteStore({ folder, durability })

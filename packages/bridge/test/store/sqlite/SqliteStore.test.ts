import * as Effect from "effect/Effect"
import { makeSqliteStore } from "../../../src/store/sqlite/SqliteStore.ts"
import { emptyFolder } from "../../Folder.ts"
import { storeContract } from "../contract.ts"

storeContract(
  "SQLite",
  Effect.map(emptyFolder, (folder) => ({ open: (options) => makeSqliteStore({ folder, ...options }) }))
)

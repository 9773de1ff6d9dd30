import * as Effect from "effect/Effect"
import { makeMemory } from "../../../src/store/memory/Memory.ts"
import { makeMemoryStore } from "../../../src/store/memory/MemoryStore.ts"
import { storeContract } from "../contract.ts"

storeContract(
  "memory",
  Effect.sync(() => {
    const memory = makeMemory()
    return { open: (options) => makeMemoryStore({ memory, ...options }) }
  })
)

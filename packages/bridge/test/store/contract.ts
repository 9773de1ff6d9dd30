/**
 * What every store owes, whatever it keeps things in: one suite, which each implementation runs.
 */
import { it } from "@effect/vitest"
import { claimContract } from "./contract/ClaimContract.ts"
import { entryContract } from "./contract/EntryContract.ts"
import { logContract } from "./contract/LogContract.ts"
import { longContract } from "./contract/LongContract.ts"
import type { PlaceMaker } from "./contract/Place.ts"
import { threadContract } from "./contract/ThreadContract.ts"
import { agreesWithModel } from "./model/Comparison.ts"

/** Runs the suite. */
export const storeContract = (name: string, place: PlaceMaker): void => {
  logContract(name, place)
  longContract(name, place)
  claimContract(name, place)
  entryContract(name, place)
  threadContract(name, place)
  it.live(`${name} gives the same answers as the simplest store there can be`, () => agreesWithModel(place))
}

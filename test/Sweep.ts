/**
 * The long way and the short one. `npm run sweep` takes every tape of the library and many generated sessions; `npm
 * test` takes a fixed part of both, which is the same in every run.
 */
import { type TapeEntry, tapes } from "@agentwire/fixtures"

/** Whether this is `npm run sweep`. */
export const sweeping = process.env["AGENTWIRE_SWEEP"] === "1"

/** How many generated cases `npm test` takes of the many of a sweep. */
export const fewOf = (many: number): number => Math.ceil(many / 10)

/** How many generated cases to take here. */
export const casesOf = (many: number): number => (sweeping ? many : fewOf(many))

const placeOf = ({ transport, version }: TapeEntry): string => `${version} ${transport}`

/**
 * Each scenario once, as one version recorded it over one transport, with all of its runs. The versions take turns, so
 * that each of them tells about a quarter of the scenarios.
 */
export const oneOfEach = (entries: ReadonlyArray<TapeEntry>): ReadonlyArray<TapeEntry> =>
  [...new Set(entries.map(({ scenario }) => scenario))].sort().flatMap((scenario, turn) => {
    const told = entries.filter((entry) => entry.scenario === scenario)
    const places = [...new Set(told.map(placeOf))].sort()
    return told.filter((entry) => placeOf(entry) === places[turn % places.length])
  })

/** The tapes to judge by: all of them in a sweep, otherwise one of each scenario. */
export const chosenTapes: ReadonlyArray<TapeEntry> = sweeping ? tapes : oneOfEach(tapes)

/** What the real Codex came to: `outcomes.json`, written by `npm run judges -- --server itself --keep`. */
import { readFileSync, writeFileSync } from "node:fs"
import * as Schema from "effect/Schema"
import { Told } from "./Headless.ts"

/** What became of each case, by client. */
export type RealOutcomes = Readonly<Record<string, ReadonlyArray<Told>>>

const file = new URL("outcomes.json", import.meta.url)

const Outcomes = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Array(Told)))

/** What is kept. */
export const realOutcomes = (): RealOutcomes => Schema.decodeUnknownSync(Outcomes)(readFileSync(file, "utf8"))

/** Keeps what was seen; of clients that were not run, what was there. */
export const keepOutcomes = (seen: RealOutcomes): void =>
  writeFileSync(file, `${JSON.stringify({ ...realOutcomes(), ...seen }, null, 2)}\n`)

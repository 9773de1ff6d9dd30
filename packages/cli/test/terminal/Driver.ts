/**
 * Runs many command lines in one process, on the terminal it was started on, with the console of that process. The file
 * of its argument has them; a line before each says which it is.
 */
import { readFileSync } from "node:fs"
import { main } from "../../src/main.ts"

const lines = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as ReadonlyArray<ReadonlyArray<string>>

for (const [index, args] of lines.entries()) {
  process.stdout.write(`\n=== ${index}\n`)
  await main(args)
}
process.exit(0)

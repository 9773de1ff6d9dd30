/**
 * The command `agentwire`. It imports nothing by itself: a file of the bundle that had something of this one would wait
 * for it to end, and it waits for that file.
 */
const { main } = await import("./main.ts")

process.exitCode = await main(process.argv.slice(2))

export {}

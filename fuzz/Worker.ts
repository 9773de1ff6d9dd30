/**
 * The thread that inputs are checked in, so that one that never comes back can be ended. What it is at is in memory that
 * both sides see: after a hang nobody could ask it.
 */
import { parentPort, workerData } from "node:worker_threads"
import { checkInput, Search } from "./Search.ts"
import type { Target } from "./Target.ts"
import { Current, type ThreadData, type ThreadOrder } from "./Thread.ts"

const { memory, module, name } = workerData as ThreadData
const { targets } = (await import(module)) as { readonly targets: ReadonlyArray<Target> }
const target = targets.find((one) => one.name === name)
if (target === undefined || parentPort === null) throw new Error(`There is no target ${name}.`)
const port = parentPort
const current = new Current(memory)

const search = async ({
  corpus,
  from,
  seed,
  until
}: Extract<ThreadOrder, { readonly _tag: "Search" }>): Promise<void> => {
  const searching = new Search(target, corpus, seed)
  for (let run = from; Date.now() < until; run++) {
    const input = searching.next(run)
    current.begin(input, searching.size)
    const outcome = await searching.check(input)
    if (outcome._tag === "Broken") port.postMessage({ ...outcome, input })
    // Messages and timers have their turn now and then.
    if (run % 50 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  port.postMessage({ _tag: "Over" })
}

port.on("message", (order: ThreadOrder) => {
  if (order._tag === "Search") void search(order)
  else {
    current.begin(order.input, 0)
    void checkInput(target, order.input).then(({ seen: _, ...outcome }) =>
      port.postMessage({ ...outcome, input: order.input })
    )
  }
})
port.postMessage({ _tag: "Ready" })

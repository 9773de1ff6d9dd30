/** More connections than the system gives descriptors for: the server survives, and serves when they are gone. */
import * as Effect from "effect/Effect"
import { afterEach, expect, test } from "vitest"
import { backTo, countsOf } from "../Counts.ts"
import { postRun, runBody, textIn, wireTo } from "../RawRun.ts"
import { type ServeProcess, startServe } from "../ServeProcess.ts"

let serve: ServeProcess | undefined

afterEach(async () => {
  await serve?.stop()
  serve = undefined
})

test("a server without descriptors goes on when there are some again", async () => {
  serve = await startServe({ before: "ulimit -n 250" })
  const { pid, port, url } = serve
  expect(textIn(await postRun(url, runBody("before", "one")))).toBe("You said one.")
  const before = countsOf(pid)
  const wires = Array.from({ length: 600 }, () => wireTo(port))
  await Promise.all(
    wires.map(({ closed, socket }) => Promise.race([closed, new Promise((resolve) => socket.once("connect", resolve))]))
  )
  expect(countsOf(pid).sockets).toBeGreaterThan(before.sockets)
  for (const { socket } of wires) socket.destroy()
  await Promise.all(wires.map(({ closed }) => closed))
  await Effect.runPromise(backTo(before, pid))
  expect(textIn(await postRun(url, runBody("before", "two")))).toBe("You said two.")
  expect(textIn(await postRun(url, runBody("after", "one")))).toBe("You said one.")
  expect(await serve.stop()).toBe(0)
})

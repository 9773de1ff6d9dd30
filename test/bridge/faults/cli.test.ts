/**
 * CLIs that fail, each in its own way: the run says what happened, the next run works, and nothing stays behind.
 */
import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Agui } from "@agentwire/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type CliLauncherOptions, cliLauncher } from "../../../packages/bridge/src/runtime/claude/CliLauncher.ts"
import { eventually, livingIn, scratch, writeScript } from "../../../packages/bridge/test/FakeCli.ts"
import { sweeping } from "../../../packages/fixtures/test/Sweep.ts"
import { backTo, countsOf, megabytes } from "../Counts.ts"
import { listening, type Place } from "../OnBridge.ts"
import { postRun, runBody, runRequest, textIn, wireTo } from "../RawRun.ts"

const faultyCli = fileURLToPath(new URL("FaultyCli.mjs", import.meta.url))

/** How a run ends: with this text, or with this code and words. */
type Ending = string | readonly [code: string, words: RegExp]

const exited = (words: RegExp): Ending => ["process_exited", words]

const sound = "You said one."

const faults: ReadonlyArray<readonly [fault: string, ending: Ending]> = [
  ["exits at once", exited(/no licence for this machine/)],
  ["exits at initialize", exited(/code 4/)],
  ["refuses initialize", ["REFUSED", /not today/]],
  ["exits with 0 at the prompt", exited(/code 0/)],
  ["hangs at initialize", ["TIMEOUT", /did not answer initialize/]],
  ["floods stderr", sound],
  ["floods stderr with one line", sound],
  ["writes binary", sound],
  ["writes half lines", sound],
  ["writes JSON of wrong types", sound],
  ["writes JSON that nests deep", sound],
  ["writes U+2028", "You said a\u2028b\u2029c."],
  ["writes a line of 50 MB", sound],
  ["writes a message of 50 MB", sound],
  ["writes a line of 80 MB", sound],
  ["says everything twice", sound],
  ["says more after the result", sound],
  ["closes stdout and stays", exited(/closed its standard output/)],
  ["closes stdin and stays", exited(/closed its standard input/)],
  ["dies by SIGTERM", exited(/SIGTERM/)],
  ["dies by SIGKILL", exited(/SIGKILL/)],
  ["dies by SIGSEGV", exited(/SIGSEGV/)],
  ["dies by SIGABRT", exited(/SIGABRT/)],
  ["dies by SIGHUP", exited(/SIGHUP/)],
  ["dies by SIGINT", exited(/SIGINT/)]
]

const launcherOf = (fault: string, more: CliLauncherOptions = {}) =>
  cliLauncher({
    cliPath: faultyCli,
    inherit: { PATH: process.env["PATH"] ?? "" },
    env: { FAULT: fault },
    graceMs: 300,
    ...more
  })

/** Long enough for a sound CLI on a busy machine to start in. */
const session = { startTimeout: "4 seconds", stopTimeout: "300 millis" } as const

const expectEnding = (events: ReadonlyArray<Agui.AguiEvent>, ending: Ending): void => {
  const last = events.at(-1)
  if (typeof ending === "string") {
    expect(last).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } })
    expect(textIn(events)).toBe(ending)
  } else {
    expect(last).toMatchObject({ type: "RUN_ERROR", code: ending[0] })
    expect(last).toHaveProperty("message", expect.stringMatching(ending[1]))
  }
}

/**
 * Uses a bridge in a folder of its own, and counts what is there before and after. Memory only where there was much of
 * it: to know it takes a whole collection of garbage.
 */
const leavingNothing = (
  launcher: (folder: string) => ReturnType<typeof cliLauncher>,
  use: (place: Pick<Place, "url" | "session"> & { readonly port: number; readonly folder: string }) => Promise<void>,
  isMuch = false
) =>
  Effect.gen(function* () {
    const before = countsOf()
    const folder = yield* scratch
    const memory = isMuch ? megabytes() : 0
    yield* Effect.scoped(
      listening(launcher(folder), { session: { cwd: folder, ...session } }, ({ session, url }) =>
        use({ url, session, port: Number(new URL(url).port), folder })
      )
    )
    expect(livingIn(folder)).toEqual([])
    yield* backTo(before)
    // What a socket held goes with its handle, which is later than the socket.
    if (isMuch) yield* eventually(() => megabytes() - memory < 20)
  })

describe("a CLI that", () => {
  it.live.each(faults.filter((_, index) => sweeping || index % 2 === 0))("%s", ([fault, ending]) =>
    leavingNothing(
      () => launcherOf(fault),
      async ({ url }) => {
        expectEnding(await postRun(url, runBody("t", "one")), ending)
        expectEnding(await postRun(url, runBody("t", "two")), "You said two.")
      },
      /MB|flood|deep/.test(fault)
    )
  )

  it.live.each(["never answers interrupt", "never answers interrupt, ignores SIGTERM", "is stopped by SIGSTOP"])(
    "%s is ended when the client leaves, and the next run has another",
    (fault) =>
      leavingNothing(
        () => launcherOf(fault),
        async ({ port, url }) => {
          const { socket, until } = wireTo(port)
          socket.write(runRequest(port, runBody("t", "one")))
          await until((got) => got.includes("Half of "))
          socket.destroy()
          await untilFree(url)
        }
      )
  )

  it.live("stops reading does not hold up the one who stops it", () =>
    leavingNothing(
      () => launcherOf("stops reading"),
      async ({ port, session, url }) => {
        const { socket, until } = wireTo(port)
        socket.write(runRequest(port, runBody("t", "x".repeat(1_000_000))))
        await until((got) => got.includes("RUN_STARTED"))
        // A prompt that is stopped before it is sent leaves the agent to the next.
        const { status } = await session("t")
        await Effect.runPromise(eventually(() => Effect.runSync(status) === "connected"))
        socket.destroy()
        await untilFree(url)
      }
    )
  )
})

/** Asks until the thread is not busy any more. */
const untilFree = async (url: string): Promise<void> => {
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      expectEnding((await postRun(url, runBody("t", "two"))).slice(-8), "You said two.")
      return
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes("THREAD_BUSY")) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  throw new Error("the thread stays busy")
}

describe("a CLI that cannot be asked for its version", () => {
  const scripts: ReadonlyArray<
    readonly [name: string, text: string | undefined, mode: number, code: string, words: RegExp]
  > = [
    ["is not there", undefined, 0, "CLI_NOT_FOUND", /There is no file/],
    ["may not be executed", "#!/bin/sh\n", 0o644, "CLI_NOT_EXECUTABLE", /chmod \+x/],
    ["hangs", "#!/bin/sh\ncd $(dirname $0)\nsleep 1000\n", 0o755, "CLI_VERSION_UNKNOWN", /within 2000 ms/],
    ["is another program", "#!/bin/sh\necho hello\n", 0o755, "CLI_VERSION_UNKNOWN", /printed "hello"/],
    ["fails", "#!/bin/sh\necho broken >&2; exit 9\n", 0o755, "CLI_VERSION_UNKNOWN", /failed with 9: broken/],
    ["has no interpreter", "#!/nowhere/sh\n", 0o755, "CLI_VERSION_UNKNOWN", /failed with 12[67]/]
  ]

  it.live.each(scripts)("because it %s", ([, text, mode, code, words]) =>
    leavingNothing(
      (folder) => {
        const cliPath = join(folder, "claude")
        if (text !== undefined) writeFileSync(cliPath, text, { mode })
        return launcherOf("", { cliPath, versionLimitMs: 2000 })
      },
      async ({ folder, url }) => {
        expectEnding(await postRun(url, runBody("t", "one")), [code, words])
        writeScript(folder, "claude", `#!/bin/sh\nexec ${process.execPath} ${faultyCli} "$@"\n`)
        chmodSync(join(folder, "claude"), 0o755)
        expectEnding(await postRun(url, runBody("t", "two")), "You said two.")
      }
    )
  )
})

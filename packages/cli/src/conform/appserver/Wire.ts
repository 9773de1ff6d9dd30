/** The way to a server: lines over stdio, or text frames over a WebSocket. */
import { spawn } from "node:child_process"
import { createServer } from "node:net"
import { WebSocket } from "ws"

/** Who hears a {@link Wire}. */
export interface WireEvents {
  readonly heard: (text: string) => void
  /** The server is gone, or has hung up. */
  readonly ended: () => void
}

/** An open connection. */
export interface Wire {
  readonly send: (text: string) => void
  /** Hangs up. How the process ended, where there is one; undefined when it had to be killed. */
  readonly close: () => Promise<Exit | undefined>
}

/** How a process ended. */
export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** The last that it wrote to stderr. */
  readonly stderr: string
}

/** How a server is started. */
export interface Launch {
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** A program that was started, and all it says besides. */
interface Started {
  readonly child: ReturnType<typeof spawn>
  readonly exited: Promise<Exit>
  readonly stderr: () => string
}

/** How much is kept of what a program writes to stderr. */
const maxStderr = 4000

const start = ({ args, cwd, env, program }: Launch): Started => {
  const child = spawn(program, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"], detached: true })
  let stderr = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-maxStderr)
  })
  child.stdin.on("error", () => undefined)
  const exited = new Promise<Exit>((resolve) => {
    child.once("error", (error) => {
      stderr += error.message
      resolve({ code: null, signal: null, stderr })
    })
    child.once("exit", (code, signal) => resolve({ code, signal, stderr }))
  })
  return { child, exited, stderr: () => stderr }
}

/** How long a server may take to end. */
const endMs = 10_000

/** Ends a program and all it has started. */
const end = async ({ child, exited }: Started): Promise<Exit | undefined> => {
  const timer = new AbortController()
  const late = new Promise<undefined>((resolve) => {
    const handle = setTimeout(() => resolve(undefined), endMs)
    timer.signal.addEventListener("abort", () => clearTimeout(handle))
  })
  const exit = await Promise.race([exited, late])
  timer.abort()
  killGroup(child.pid)
  return exit
}

const killGroup = (pid: number | undefined): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, "SIGKILL")
  } catch (error) {
    // ESRCH: the group is empty, as it should be.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error
  }
}

/** Starts a server that speaks over its standard streams. */
export const openStdio = (launch: Launch, { ended, heard }: WireEvents): Wire => {
  const started = start(launch)
  const { child } = started
  let rest = ""
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) heard(line)
  })
  child.stdout?.on("end", ended)
  return {
    send: (text) => void child.stdin?.write(`${text}\n`),
    close: () => {
      child.stdin?.end()
      return end(started)
    }
  }
}

/** A server that listens, started for a scenario. */
export interface Listening {
  readonly url: string
  readonly close: () => Promise<void>
}

/** How often, and how long, a server that was started is tried until it listens. */
const tries = { everyMs: 100, forMs: 30_000 } as const

/** Starts a server with `--listen` and waits until it does. Undefined when it does not. */
export const startListening = async (
  launch: Launch,
  token: string
): Promise<Listening | { readonly failed: string }> => {
  const port = await freePort()
  const url = `ws://127.0.0.1:${port}`
  const started = start({ ...launch, args: [...launch.args, "--listen", url] })
  const close = async (): Promise<void> => {
    started.child.kill("SIGTERM")
    await end(started)
  }
  let gone = false
  void started.exited.then(() => {
    gone = true
  })
  const until = Date.now() + tries.forMs
  while (!gone && Date.now() < until) {
    if (await takesConnections(url, token)) return { url, close }
    await new Promise((resolve) => setTimeout(resolve, tries.everyMs))
  }
  await close()
  return { failed: `it does not listen at ${url}${started.stderr() === "" ? "" : `: ${started.stderr().trim()}`}` }
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

const takesConnections = (url: string, token: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = new WebSocket(url, { headers: bearer(token) })
    socket.once("open", () => {
      socket.terminate()
      resolve(true)
    })
    socket.once("error", () => resolve(false))
  })

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Connects to a server that listens. Rejects where there is none. */
export const openSocket = (url: string, token: string | undefined, { ended, heard }: WireEvents): Promise<Wire> =>
  new Promise((resolve, reject) => {
    const headers = token === undefined ? {} : bearer(token)
    const socket = new WebSocket(url, { headers, maxPayload: 1 << 28 })
    const closed = new Promise<undefined>((gone) => socket.once("close", () => gone(undefined)))
    socket.once("error", reject)
    socket.on("close", ended)
    socket.on("message", (data, isBinary) => heard(isBinary ? "(a binary frame)" : data.toString()))
    socket.once("open", () =>
      resolve({
        send: (text) => socket.send(text),
        close: () => {
          socket.close()
          const timer = setTimeout(() => socket.terminate(), 1000)
          return closed.finally(() => clearTimeout(timer))
        }
      })
    )
  })

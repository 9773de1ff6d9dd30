/**
 * A stand-in for the CLI that speaks its protocol in small, with a fault: the variable FAULT names it. The fault shows
 * with the first prompt of a folder only; what comes after is sound. Without a fault it repeats each prompt, and
 * `count` and `count for nobody` make it count until there is a file `stop-counting` in its folder.
 */
import { closeSync, existsSync, writeFileSync } from "node:fs"
import { createInterface } from "node:readline"
import {
  answer,
  begin,
  delta,
  end,
  result as endTurn,
  event,
  init,
  interrupted,
  put,
  say,
  times
} from "../CliLines.mjs"

/** Whether there is a prompt that was not answered to the end. */
let inTurn = false
const result = (text, more) => {
  inTurn = false
  endTurn(text, more)
}

const repeat = (prompt) => {
  const text = `You said ${prompt}.`
  init()
  begin()
  for (const word of text.split(/(?<= )/)) delta(word)
  end(text)
  result(text)
}

/** What counts, if anything does. */
let counting

/** The file is of the one who counts for somebody; the others of the folder would write over it. */
const count = (file) => {
  let text = ""
  let number = 0
  init()
  begin()
  counting = setInterval(() => {
    const next = `${++number} `
    text += next
    delta(next)
    if (!existsSync("stop-counting")) return
    clearInterval(counting)
    if (file !== undefined) writeFileSync(file, text)
    end(text)
    result(text)
  }, 20)
}

/** Half an answer. */
const half = () => {
  init()
  begin()
  delta("Half of ")
}

const stay = () => setInterval(() => undefined, 1000)

const megabytes = (fd, n, piece) => {
  const chunk = Buffer.from(piece.repeat(Math.ceil(1_000_000 / piece.length)))
  for (let i = 0; i < n; i++) put(fd, chunk)
}

const sound = {
  start: () => undefined,
  initialize: (id) => answer(id),
  prompt: (text) => {
    if (text === "count") return count("counted")
    if (text === "count for nobody") return count()
    return repeat(text.length > 100 ? `${text.length} characters` : text)
  },
  interrupt: (id) => {
    clearInterval(counting)
    answer(id)
    // Like the real one: `interrupt_idle`.
    if (!inTurn) return
    result("", interrupted)
  },
  stdinEnd: () => process.exit(0)
}

const dies = (signal) => ({
  prompt: () => {
    half()
    process.kill(process.pid, signal)
    stay()
  }
})

const faults = {
  "exits at once": {
    start: () => {
      put(2, "Error: no licence for this machine\n")
      process.exit(3)
    }
  },
  "exits at initialize": { initialize: () => process.exit(4) },
  "refuses initialize": {
    initialize: (request_id) =>
      say({ type: "control_response", response: { subtype: "error", request_id, error: "not today" } })
  },
  "exits with 0 at the prompt": { prompt: () => process.exit(0) },
  "hangs at initialize": { initialize: stay },
  "floods stderr": {
    prompt: (text) => {
      megabytes(2, 100, "a long complaint\n")
      repeat(text)
    }
  },
  "floods stderr with one line": {
    prompt: (text) => {
      megabytes(2, 20, "x")
      repeat(text)
    }
  },
  "writes binary": {
    prompt: (text) => {
      put(1, Buffer.from(Array.from({ length: 65_536 }, (_, i) => (i * 7919) & 255)))
      put(1, "\n")
      repeat(text)
    }
  },
  "writes half lines": {
    prompt: (text) => {
      put(1, '{"type":"assistant","message":{"id":"m\n\n\r\n{"type":"stream_event","event":\n')
      repeat(text)
    }
  },
  "writes JSON of wrong types": {
    prompt: (text) => {
      for (const line of [
        "null",
        "7",
        '"text"',
        "[]",
        "{}",
        '{"type":7}',
        '{"type":"nobody knows this","x":1}',
        '{"type":"assistant","message":7}',
        '{"type":"result"}',
        '{"type":"control_request","request_id":7,"request":{"subtype":"can_use_tool"}}',
        '{"type":"control_response","response":null}',
        '{"type":"__proto__","__proto__":{"polluted":true}}',
        '{"type":"stream_event","event":{"type":"content_block_delta","index":-1,"delta":{"type":"text_delta"}}}'
      ])
        put(1, `${line}\n`)
      repeat(text)
    }
  },
  "writes JSON that nests deep": {
    prompt: (text) => {
      put(1, `{"type":"system","subtype":"status","x":${"[".repeat(100_000)}${"]".repeat(100_000)}}\n`)
      repeat(text)
    }
  },
  "writes U+2028": { prompt: () => repeat("a\u2028b\u2029c") },
  "writes a line of 50 MB": {
    prompt: (text) => {
      megabytes(1, 50, "x")
      put(1, "\n")
      repeat(text)
    }
  },
  "writes a message of 50 MB": {
    prompt: (text) => {
      put(1, '{"type":"nobody knows this","x":"')
      megabytes(1, 50, "x")
      put(1, '"}\n')
      repeat(text)
    }
  },
  "writes a line of 80 MB": {
    prompt: (text) => {
      megabytes(1, 80, "x")
      put(1, "\n")
      repeat(text)
    }
  },
  "says everything twice": {
    prompt: (text) => {
      times.copies = 2
      repeat(text)
      times.copies = 1
    }
  },
  "says more after the result": {
    prompt: (text) => {
      repeat(text)
      delta("and more")
      event({ type: "message_stop" })
    }
  },
  "never answers interrupt": { prompt: half, interrupt: () => undefined },
  "never answers interrupt, ignores SIGTERM": {
    start: () => process.on("SIGTERM", () => undefined),
    prompt: half,
    interrupt: () => undefined,
    stdinEnd: stay
  },
  "stops reading": {
    prompt: half,
    initialize: (id) => {
      answer(id)
      input.pause()
      process.stdin.pause()
      stay()
    }
  },
  "closes stdout and stays": {
    prompt: () => {
      half()
      closeSync(1)
      stay()
    },
    stdinEnd: stay
  },
  "closes stdin and stays": {
    initialize: (id) => {
      process.stdin.destroy()
      closeSync(0)
      setTimeout(() => answer(id), 50)
      stay()
    },
    stdinEnd: stay
  },
  "dies by SIGTERM": dies("SIGTERM"),
  "dies by SIGKILL": dies("SIGKILL"),
  "dies by SIGSEGV": dies("SIGSEGV"),
  "dies by SIGABRT": dies("SIGABRT"),
  "dies by SIGHUP": dies("SIGHUP"),
  "dies by SIGINT": dies("SIGINT"),
  "is stopped by SIGSTOP": { ...dies("SIGSTOP"), interrupt: () => undefined }
}

if (process.argv.includes("--version")) {
  process.stdout.write("2.1.325 (Claude Code)\n")
  process.exit(0)
}
const first = !existsSync("faulted")
writeFileSync("faulted", "")
let does = { ...sound, ...(first ? faults[process.env.FAULT ?? ""] : {}) }
const input = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })
input.on("line", (line) => {
  const { message, request, request_id, type } = JSON.parse(line)
  if (type === "user") {
    const { content } = message
    const { prompt } = does
    inTurn = true
    does = { ...does, prompt: sound.prompt }
    prompt(typeof content === "string" ? content : content.map(({ text }) => text).join(""))
  } else if (type !== "control_request") return
  else if (request.subtype === "initialize") does.initialize(request_id)
  else if (request.subtype === "interrupt") does.interrupt(request_id)
  else answer(request_id)
})
input.on("close", () => does.stdinEnd())
does.start()

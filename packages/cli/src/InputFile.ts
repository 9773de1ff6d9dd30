/**
 * The bytes of a file that a command is given, unzipped, whatever the file is: a regular one is read up to where it
 * ended when it was opened, so that one that grows has an end; a pipe, as long as somebody writes to it. What would
 * never end or never begin is refused: a device, a pipe that nobody opens.
 */
import { closeSync, constants, fstatSync, openSync, read, type Stats, statSync } from "node:fs"
import { Socket } from "node:net"
import type { Readable } from "node:stream"
import { isatty } from "node:tty"
import { promisify } from "node:util"
import { GzipFailed, gunzipped } from "@agentwire/fixtures"
import { Failure, fileFailure } from "./Failure.ts"
import { type Limits, sizeWords } from "./Limits.ts"

const chunkBytes = 1 << 18

/** How long somebody may take to open the other end of a pipe, in milliseconds. */
const writerWithinMs = 3000

/** The bytes of a file, or of standard input for `-`. Throws a {@link Failure} that says what is wrong. */
export async function* chunksOf(file: string, stdin?: Readable): AsyncGenerator<Uint8Array, void> {
  try {
    yield* gunzipped(file === "-" && stdin !== undefined ? stdin : fileBytes(file))
  } catch (error) {
    if (error instanceof GzipFailed) throw new Failure(`Cannot read ${file}: ${error.message}.`, { cause: error })
    throw error instanceof Failure ? error : fileFailure(file, error)
  }
}

/** The text of a file that has to be held whole. */
export const textOf = async (file: string, { maxBytes }: Pick<Limits, "maxBytes">): Promise<string> => {
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  for await (const chunk of chunksOf(file)) {
    bytes += chunk.length
    if (bytes > maxBytes)
      throw new Failure(`${file} is larger than ${sizeWords(maxBytes)}, which is more than is read.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

async function* fileBytes(file: string): AsyncGenerator<Uint8Array, void> {
  // Without O_NONBLOCK a pipe that nobody writes to would keep us here for ever.
  const fd = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  let isOurs = true
  try {
    const stats = fstatSync(fd)
    if (stats.isFIFO()) {
      const first = await firstBytes(file, fd)
      if (first !== undefined) yield first
      const socket = new Socket({ fd, readable: true, writable: false })
      isOurs = false
      for await (const chunk of socket) yield chunk as Uint8Array
      return
    }
    if (stats.isCharacterDevice() && !mayEnd(fd, stats))
      throw new Failure(`Cannot read ${file}: it is a device, not a file, and may never end.`)
    // Files that the system makes up (/proc) say that they are empty.
    yield* regularBytes(fd, stats.isFile() && stats.size > 0 ? stats.size : Number.POSITIVE_INFINITY)
  } finally {
    if (isOurs) closeSync(fd)
  }
}

const mayEnd = (fd: number, { rdev }: Stats): boolean => isatty(fd) || rdev === statSync("/dev/null").rdev

const readInto = promisify(read)

async function* regularBytes(fd: number, size: number): AsyncGenerator<Uint8Array, void> {
  for (let left = size; left > 0; ) {
    const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, left))
    const { bytesRead } = await readInto(fd, buffer, 0, buffer.length, null)
    if (bytesRead === 0) return
    left -= bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** What a writer has sent by the time it is noticed; undefined where nothing has come yet. */
const firstBytes = async (file: string, fd: number): Promise<Uint8Array | undefined> => {
  const until = performance.now() + writerWithinMs
  const buffer = Buffer.allocUnsafe(chunkBytes)
  for (;;) {
    try {
      const { bytesRead } = await readInto(fd, buffer, 0, buffer.length, null)
      if (bytesRead > 0) return buffer.subarray(0, bytesRead)
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EAGAIN") return undefined
      throw error
    }
    if (performance.now() > until) throw new Failure(`Cannot read ${file}: it is a pipe that nobody writes to.`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

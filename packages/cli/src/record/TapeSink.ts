/**
 * Writes the lines of a tape to where they are kept, beside the session and never in its way.
 *
 * Lines are queued and written in the background, as many at once as have gathered. What can go wrong with a disk
 * ends the tape, never the session: an error, or a queue that grows over its limit because the disk is slow.
 * Everything up to there is on the tape, and whoever started it is told once.
 */
import { createHash } from "node:crypto"
import { mkdir } from "node:fs/promises"
import { dirname } from "node:path"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { openPrivate, privateFolderMode } from "../ReplaceFile.ts"
import type { TapeOutcome } from "./TapEvent.ts"

/** Where the bytes of a tape go. */
export interface TapeTarget {
  readonly write: (bytes: Uint8Array) => Promise<void>
  readonly close: () => Promise<void>
  /** Lets a write that waits for a reader fail, where it can. */
  readonly abandon: () => void
}

/** Options of {@link TapeSink}. */
export interface TapeSinkOptions {
  readonly open: () => Promise<TapeTarget>
  /** Told once, in words, why the tape ends before the session. */
  readonly onStop: (reason: string) => void
  /** The last line of a tape that stopped because the disk was too slow. */
  readonly stopLine: (reason: string) => string
  /** The last line of a tape that ended in order. */
  readonly endLine: (frames: number, sha256: string) => string
  /** How many bytes may wait for the disk. Default 128 MiB. */
  readonly maxPendingBytes?: number
  /** How long the end may take, in milliseconds. Default 3000. */
  readonly endWithinMs?: number
}

const defaultMaxPendingBytes = 128 * 1024 * 1024
const tooSlow = "the disk is too slow"

/** A queue of lines in front of a file. */
export class TapeSink {
  readonly #options: TapeSinkOptions
  readonly #target: Promise<TapeTarget>
  readonly #hash = createHash("sha256")
  readonly #limit: number
  #pending: Array<Buffer> = []
  #pendingBytes = 0
  #frames = 0
  #draining: Promise<void> | undefined
  #stopped = false
  #ended = false
  #abandoned = false

  constructor(options: TapeSinkOptions) {
    this.#options = options
    this.#limit = options.maxPendingBytes ?? defaultMaxPendingBytes
    this.#target = options.open()
    this.#target.catch((error: unknown) => this.#fail(error))
  }

  /** The first line. */
  header(line: string): void {
    this.#add(line)
  }

  /** A frame. Dropped when the tape has stopped. */
  frame(line: string): void {
    // Each UTF-16 unit is at most three bytes: good enough to notice a queue that grows, without encoding twice.
    if (!this.#stopped && !this.#ended && this.#pendingBytes + line.length > this.#limit) {
      this.#add(this.#options.stopLine(tooSlow))
      this.#stop(tooSlow)
    }
    if (this.#add(line)) this.#frames++
  }

  /** Writes what is left and the end line, in bounded time. */
  async end(): Promise<TapeOutcome> {
    const complete = this.#add(this.#options.endLine(this.#frames, this.#hash.copy().digest("hex")))
    this.#ended = true
    const whole = this.#settle()
    const late = await this.#within(whole)
    if (late) {
      this.#stop(tooSlow)
      this.#abandoned = true
      this.#target.then(
        (target) => target.abandon(),
        () => undefined // told already
      )
      return { complete: false, stuck: await this.#within(whole, 200) }
    }
    return { complete: complete && !this.#stopped, stuck: false }
  }

  async #settle(): Promise<void> {
    while (this.#draining !== undefined) await this.#draining
    const target = await this.#target.catch(() => undefined)
    await target?.close().catch((error: unknown) => this.#fail(error))
  }

  /** Whether something takes longer than it may. */
  async #within(work: Promise<void>, ms = this.#options.endWithinMs ?? 3000): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(true), ms)
    })
    const isLate = await Promise.race([work.then(() => false), late])
    clearTimeout(timer)
    return isLate
  }

  #add(line: string): boolean {
    if (this.#stopped || this.#ended) return false
    const bytes = Buffer.from(line)
    this.#hash.update(bytes)
    this.#pending.push(bytes)
    this.#pendingBytes += bytes.length
    this.#draining ??= this.#drain()
    return true
  }

  async #drain(): Promise<void> {
    try {
      const target = await this.#target
      while (this.#pending.length > 0 && !this.#abandoned) {
        const batch = Buffer.concat(this.#pending)
        this.#pending = []
        await target.write(batch)
        this.#pendingBytes -= batch.length
      }
    } catch (error) {
      this.#fail(error)
    }
    this.#draining = undefined
  }

  #fail(error: unknown): void {
    this.#pending = []
    this.#stop(reasonOf(error))
  }

  #stop(reason: string): void {
    if (!this.#stopped) this.#options.onStop(reason)
    this.#stopped = true
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "your disk quota is used up",
  EFBIG: "the file may not grow any further",
  EACCES: "you are not allowed to write there",
  EPERM: "you are not allowed to write there",
  EROFS: "the disk is read-only",
  ENOENT: "there is no such folder",
  ENOTDIR: "part of the path is not a folder",
  EISDIR: "it is a folder",
  EEXIST: "part of the path is not a folder",
  ENXIO: "it is a pipe that nobody reads",
  EPIPE: "it is a pipe that nobody reads any more",
  EIO: "the disk has an error"
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error ? String(error.code) : undefined

const reasonOf = (error: unknown): string => {
  const code = codeOf(error)
  return (code && reasons[code]) ?? (error instanceof Error ? error.message : String(error))
}

/** A file as the target of a tape; its folder is made. Only the user may read it: redaction cannot know everything. */
export const fileTarget = (path: string) => async (): Promise<TapeTarget> => {
  await mkdir(dirname(path), { recursive: true, mode: privateFolderMode })
  const file = await openPrivate(path)
  let abandoned = false
  return {
    write: async (bytes) => {
      for (let from = 0; from < bytes.length; ) {
        try {
          from += (await file.write(bytes, from)).bytesWritten
        } catch (error) {
          if (codeOf(error) !== "EAGAIN" || abandoned) throw error
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
      }
    },
    close: () => file.close(),
    abandon: () => {
      abandoned = true
    }
  }
}

const compress = promisify(gzip)

/** Gzips what goes to a target. Each write is a gzip member of its own, so that a cut costs no more than one. */
export const gzipTarget = (open: () => Promise<TapeTarget>) => async (): Promise<TapeTarget> => {
  const target = await open()
  return { ...target, write: async (bytes) => target.write(await compress(bytes)) }
}

/**
 * The questions of one thread that wait, kept up to date by its events, and answered.
 *
 * An answer takes its question off the list at once. Where it fails, the question comes back with the error.
 */
import type { Client } from "../client/Client.ts"
import { ManagementError } from "../client/ManagementError.ts"
import { type Approval, approvalOf } from "../embed/Approval.ts"
import type { BodyOf, OutputOf } from "../face/management/Api.ts"
import { unexpectedError } from "./Connection.ts"
import { LiveValue, pause } from "./LiveValue.ts"

/** A question that waits for the person at this page. */
export interface ToolApproval extends Approval {
  /** Why the last answer to it failed. */
  readonly error: ManagementError | undefined
}

/** The questions that wait. */
export interface ApprovalState {
  readonly approvals: ReadonlyArray<ToolApproval>
  /** Whether new questions are seen as they come. False until the thread exists. */
  readonly live: boolean
  /** Why they are not, unless the thread just does not exist yet. */
  readonly error: ManagementError | undefined
}

/** No question waits. */
export const noApprovals: ApprovalState = { approvals: [], live: false, error: undefined }

/** An answer to a question. */
export type Answer = BodyOf<"approvals.answer">

/** The events after which other questions may wait than before. */
const telling: ReadonlySet<string> = new Set(["RUN_STARTED", "RUN_FINISHED", "RUN_ERROR", "TOOL_CALL_RESULT", "CUSTOM"])

const isTelling = (frame: OutputOf<"sessions.events">): boolean =>
  frame.event !== "message" || telling.has(frame.data.type)

/** How long until a stream that ended is asked for again, and a thread that does not exist is looked for again. */
const retryDelay = 1000

/** Watches the questions of a thread. */
export class ApprovalFeed extends LiveValue<ApprovalState> {
  readonly #client: Client
  readonly #threadId: string
  #waiting: ReadonlyArray<Approval> = []
  readonly #answered = new Set<string>()
  readonly #errors = new Map<string, ManagementError>()

  constructor(client: Client, threadId: string) {
    super(noApprovals)
    this.#client = client
    this.#threadId = threadId
  }

  /** Answers a question. True when that succeeded; otherwise the question has the error. */
  async answer(requestId: string, answer: Answer): Promise<boolean> {
    this.#answered.add(requestId)
    this.#errors.delete(requestId)
    this.#show({})
    try {
      await this.#client.approvals.answer(this.#threadId, requestId, answer)
      return true
    } catch (cause) {
      const error = cause instanceof ManagementError ? cause : unexpectedError(cause)
      // Somebody else answered, or it was too late: it is gone either way.
      if (error.code !== "NOTHING_PENDING") {
        this.#answered.delete(requestId)
        this.#errors.set(requestId, error)
      }
      this.#show({})
      return false
    }
  }

  protected async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const error = await this.#follow(signal)
      if (signal.aborted) return
      this.#show({ live: false, error: error?.code === "SESSION_NOT_FOUND" ? undefined : error })
      // The same token is refused again.
      if (error?.status === 401 || error?.status === 403) return
      await pause(retryDelay, signal)
    }
  }

  /** Reads the events of the thread for as long as they come. Returns the error that ended them, if any. */
  async #follow(signal: AbortSignal): Promise<ManagementError | undefined> {
    try {
      for await (const frame of this.#client.sessions.events(this.#threadId, { signal }))
        if (isTelling(frame)) await this.#refresh(signal)
      return undefined
    } catch (cause) {
      return cause instanceof ManagementError ? cause : unexpectedError(cause)
    }
  }

  async #refresh(signal: AbortSignal): Promise<void> {
    const { approvals } = await this.#client.approvals.list(this.#threadId, { signal })
    this.#waiting = approvals
      .filter(({ kind }) => kind !== "page_tool")
      .map((question) => approvalOf(this.#threadId, question))
    const ids = new Set(approvals.map(({ requestId }) => requestId))
    for (const id of this.#answered) if (!ids.has(id)) this.#answered.delete(id)
    this.#show({ live: true, error: undefined })
  }

  #show(change: Partial<Omit<ApprovalState, "approvals">>): void {
    const approvals = this.#waiting
      .filter(({ requestId }) => !this.#answered.has(requestId))
      .map((approval) => ({ ...approval, error: this.#errors.get(approval.requestId) }))
    this.publish({ ...this.value(), ...change, approvals })
  }
}

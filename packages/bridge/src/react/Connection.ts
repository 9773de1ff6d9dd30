/**
 * Whether a bridge can be reached: its `/health`, asked again and again.
 */
import type { Client } from "../client/Client.ts"
import { ManagementError } from "../client/ManagementError.ts"
import { LiveValue, pause } from "./LiveValue.ts"

/** Whether a bridge can be reached. */
export interface ConnectionState {
  /**
   * `refused`: it answers, and does not let this page in; the token is wrong. `unreachable`: it does not answer, or
   * the browser hides its answer because the origin of this page is not allowed.
   */
  readonly status: "connecting" | "connected" | "refused" | "unreachable"
  readonly error: ManagementError | undefined
}

const calm = 10_000
const impatient = 500

/** Watches a bridge. */
export class Connection extends LiveValue<ConnectionState> {
  readonly #client: Client

  constructor(client: Client) {
    super({ status: "connecting", error: undefined })
    this.#client = client
  }

  protected async watch(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      const state = await this.#look(signal)
      if (signal.aborted) return
      const { error, status } = this.value()
      if (state.status !== status || state.error?.code !== error?.code) this.publish(state)
      failures = state.status === "connected" ? 0 : failures + 1
      await pause(failures === 0 ? calm : Math.min(impatient * 2 ** (failures - 1), calm), signal)
    }
  }

  async #look(signal: AbortSignal): Promise<ConnectionState> {
    try {
      await this.#client.server.health({ signal })
      return { status: "connected", error: undefined }
    } catch (cause) {
      const error = cause instanceof ManagementError ? cause : unexpectedError(cause)
      return { status: error.status === 0 ? "unreachable" : "refused", error }
    }
  }
}

/** The error for anything that is neither an answer of a bridge nor the lack of one. */
export const unexpectedError = (cause: unknown): ManagementError =>
  new ManagementError({ code: "UNREACHABLE", status: 0, message: String(cause) }, { cause })

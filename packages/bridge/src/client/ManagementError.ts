/**
 * What a call of the management API fails with.
 */

/** What the server, or the way to it, said. */
export interface Failure {
  /** Stable: a code of the server (docs/errors.md), `UNREACHABLE`, `BAD_RESPONSE` or `BAD_INPUT`. */
  readonly code: string
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number
  readonly message: string
  /** The stable code of what went wrong below, where there is one. */
  readonly why?: string
}

/** A call that failed. */
export class ManagementError extends Error {
  override readonly name = "ManagementError"
  /** Stable: a code of the server (docs/errors.md), `UNREACHABLE`, `BAD_RESPONSE` or `BAD_INPUT`. */
  readonly code: string
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number
  /** The stable code of what went wrong below, where there is one. */
  readonly why: string | undefined

  constructor({ code, message, status, why }: Failure, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.status = status
    this.why = why
  }
}

/** The error in a refusal of the server. */
export const refusalOf = async (response: Response): Promise<ManagementError> => {
  const { status } = response
  const failure = failureIn(await response.text().catch(() => ""))
  return failure === undefined
    ? new ManagementError({ code: "BAD_RESPONSE", status, message: `The answer is not agentwire's: HTTP ${status}.` })
    : new ManagementError({ ...failure, status })
}

const failureIn = (text: string): Omit<Failure, "status"> | undefined => {
  try {
    const { error } = JSON.parse(text) as { readonly error?: Readonly<Record<string, unknown>> }
    const { cause, code, message } = error ?? {}
    if (typeof code !== "string" || typeof message !== "string") return undefined
    return { code, message, ...(typeof cause === "string" && { why: cause }) }
  } catch (cause) {
    if (cause instanceof SyntaxError || cause instanceof TypeError) return undefined
    throw cause
  }
}

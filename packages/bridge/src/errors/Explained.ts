/**
 * Stable codes in words: what each means, and what to do.
 */

/** A code in words. */
export interface Explained {
  /** One or two sentences. */
  readonly means: string
  /** What to do about it. */
  readonly todo: string
}

/** The codes of one place. */
export interface ErrorArea {
  readonly title: string
  /** Where the codes appear. */
  readonly where: string
  readonly codes: Readonly<Record<string, Explained>>
}

/** A code in words. */
export const explained = (means: string, todo: string): Explained => ({ means, todo })

/** The numbers of refusals on the link, beside those of JSON-RPC. */

/** What the number of a refusal says. */
export const refusalCodes = {
  /** What was asked for has failed; the data is the failure. */
  failed: 1,
  tooLarge: 2,
  version: 3,
  secret: 4
} as const

/** The option that the commands of both tiers have, for their help. */
import type { Option } from "../Command.ts"

/** Where the runtime and its gateways meet. */
export const linkOption: Option = {
  type: "string",
  value: "PATH",
  summary: "where they meet: a socket (default: in --data), or tcp://127.0.0.1:PORT"
}

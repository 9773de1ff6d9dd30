/** What the commands of the two tiers were told: the options of `serve` that each has, and where they meet. */
import { resolve } from "node:path"
import { type LinkAddress, linkAddress } from "@agentwire/bridge/link"
import * as Result from "effect/Result"
import type { Input } from "../Command.ts"
import { UsageFailure } from "../Failure.ts"
import { wholeNumber } from "../OptionValue.ts"
import { defaultData, serveOptions } from "../serve/ServeOptions.ts"
import type { GatewayOptions } from "./Gateway.ts"
import type { RuntimeOptions } from "./Runtime.ts"

type Environment = Readonly<Record<string, string | undefined>>

const given = ({ values }: Pick<Input, "values">, name: string): string | undefined => {
  const value = values[name]
  if (value === "") throw new UsageFailure(`--${name} is empty.`)
  return typeof value === "string" ? value : undefined
}

/** Where the two meet: beside what is kept, unless another place is named. Throws a {@link UsageFailure}. */
export const placeOf = (input: Pick<Input, "values">, env: Environment): LinkAddress => {
  const data = given(input, "data")
  const address = linkAddress(data === undefined ? defaultData(env) : resolve(data), given(input, "link"))
  if (Result.isFailure(address)) throw new UsageFailure(`--link: ${address.failure.message}`)
  return address.success
}

/** The longest that turns may take to end, in seconds. */
const maxDrain = 86_400

/** The options of `agentwire runtime`. */
export const runtimeOptions = (input: Input, env: Environment): RuntimeOptions => {
  const drain = given(input, "drain")
  const same = ["data", "link"].flatMap((name) => {
    const value = given(input, name)
    return value === undefined ? [] : [` --${name} ${value}`]
  })
  return {
    ...serveOptions(input, env, "runtime"),
    link: placeOf(input, env),
    drain: wholeNumber("drain", drain, 0, maxDrain) ?? 30,
    gateway: `agentwire gateway${same.join("")}`
  }
}

/** The options of `agentwire gateway`. */
export const gatewayOptions = (input: Input, env: Environment): GatewayOptions => {
  const [stray] = input.positionals
  if (stray !== undefined) throw new UsageFailure(`gateway takes no "${stray}". Flags for agents are the runtime's.`)
  const options = serveOptions(input, env, "gateway")
  return {
    ...options,
    approvals: given(input, "approvals") === undefined ? "interrupt" : options.approvals,
    link: placeOf(input, env)
  }
}

/** The source of a type test: each type that codex prints beside ours of the same name, and the methods of both. */

/** A type of both sides, and how the printed one is reached from the index. */
export interface Compared {
  readonly name: string
  readonly printed: string
}

/** TypeScript that compiles only where every printed type fits ours and names no field that ours does not. */
export const comparison = (types: ReadonlyArray<Compared>, protocol: string): string => `
import type * as Printed from "./printed/index"
import type * as Ours from ${JSON.stringify(protocol)}

/** Compiles only for \`never\`; the error names what else there is. */
type Nothing<T extends never> = T

/** Printed types that do not fit ours. */
type Misfit<Name, Theirs, Our> = [Theirs] extends [Our] ? never : Name

/** Fields that ours does not name: open objects keep them, so assignability says nothing. */
type Unnamed<Name extends string, Theirs, Our> = Theirs extends object
  ? Theirs extends ReadonlyArray<unknown> ? never : string extends keyof Theirs ? never : \`\${Name}.\${Exclude<keyof Theirs, KeyOfAny<Our>> & string}\`
  : never
type KeyOfAny<T> = T extends unknown ? keyof T : never

${types.map(({ name, printed }) => `export type ${name}Fits = Nothing<Misfit<"${name}", ${printed}, Ours.${name}>>`).join("\n")}
${types.map(({ name, printed }) => `export type ${name}Named = Nothing<Unnamed<"${name}", ${printed}, Ours.${name}>>`).join("\n")}

type Said = Printed.ClientRequest | Printed.ClientNotification | Printed.ServerRequest | Printed.ServerNotification
type Known = Exclude<keyof Ours.Messages, "response" | "response/error">
export type NoneMissing = Nothing<Exclude<Said["method"], Known>>
export type NoneInvented = Nothing<Exclude<Known, Said["method"]>>
/** A method without params is printed with \`params: undefined\`, which JSON does not have. */
type OnWire<M> = M extends { params?: infer P } ? (undefined extends P ? Omit<M, "params"> : M) : M
export type MessagesFit = Nothing<
  {
    [M in Said["method"]]: [OnWire<Extract<Said, { method: M }>>] extends [Ours.MessageOf<M & Known>] ? never : M
  }[Said["method"]]
>
`

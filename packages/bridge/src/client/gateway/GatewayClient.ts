/**
 * The gateway for programs and pages: calls that are typed by its schemas, events by patterns of their names. A
 * connection that breaks is made again, and goes on after the last event that came.
 */
import type {
  EventFrame,
  GatewayMethod,
  ParamsOf,
  Position,
  ResponseFrame,
  ResultOf,
  SessionEvent
} from "@agentwire/protocol/gateway"
import { GatewayError } from "./GatewayError.ts"
import { Places } from "./Places.ts"
import { type GatewaySocket, type GatewaySocketClass, openSocket } from "./Socket.ts"
import { type ListenedTo, onlyOf, subscriptionsFor } from "./Subscriptions.ts"

/** Which gateway, and how to reach it. */
export interface GatewayClientOptions {
  /** Such as `http://127.0.0.1:3210`, or `ws://127.0.0.1:3210/ws`. */
  readonly url: string
  readonly token?: string
  /** Default: the global one. Node 20 has none: give it that of the package `ws`. */
  readonly WebSocket?: GatewaySocketClass
  /** How long a call may take, in milliseconds, the time until there is a connection included. Default 30,000. */
  readonly timeout?: number
  /** The longest wait before a connection that broke is made again, in milliseconds. Default 5,000. */
  readonly maxRetryDelay?: number
  /** Is told whenever the connection is there, or gone. */
  readonly onState?: (state: GatewayState) => void
  /**
   * Is told of sessions that events of are missing, because their numbers begin anew: read `session.history`; or because
   * they are gone.
   */
  readonly onLost?: (sessionIds: ReadonlyArray<string>) => void
}

/** Whether there is a connection. `closed`: and there will be none. */
export type GatewayState = "connecting" | "open" | "closed"

/** What may be chosen about a call. */
export interface GatewayCallOptions {
  /** How long it may take, in milliseconds. */
  readonly timeout?: number
  readonly signal?: AbortSignal
}

/** What may be chosen about what is listened to. */
export interface ListenOptions {
  /** Only the events of these sessions. */
  readonly sessionIds?: ReadonlyArray<string>
  /** How far it has been listened to before, by session: those go on there. */
  readonly after?: Readonly<Record<string, Position>>
}

/** The event of a name; of a pattern, any event. */
export type EventNamed<N extends string> =
  Extract<SessionEvent, { readonly event: N }> extends never
    ? typeof EventFrame.Type
    : Extract<SessionEvent, { readonly event: N }>

type CallArguments<M extends GatewayMethod> =
  Record<never, never> extends ParamsOf<M>
    ? [params?: ParamsOf<M>, options?: GatewayCallOptions]
    : [params: ParamsOf<M>, options?: GatewayCallOptions]

/** A gateway. */
export interface GatewayClient {
  readonly state: () => GatewayState
  /** Calls a method. */
  readonly call: <M extends GatewayMethod>(method: M, ...args: CallArguments<M>) => Promise<ResultOf<M>>
  /** Calls a method of an extension. */
  readonly callExtension: (
    method: string,
    params?: Readonly<Record<string, unknown>>,
    options?: GatewayCallOptions
  ) => Promise<unknown>
  /** Listens to the events of a pattern, such as `session.*`, from when the promise is done. Gives what ends it. */
  readonly listen: <N extends string>(
    pattern: N,
    listener: (event: EventNamed<N>) => void,
    options?: ListenOptions
  ) => Promise<() => void>
  /** How far it has come in each session: for another client that goes on there. */
  readonly positions: () => Readonly<Record<string, Position>>
  /** Ends the connection. Calls that wait fail. */
  readonly close: () => void
}

interface Pending {
  readonly text: string
  isSent: boolean
  readonly resolve: (payload: unknown) => void
  readonly reject: (error: GatewayError) => void
}

interface Listening extends ListenedTo {
  readonly listener: (event: typeof EventFrame.Type) => void
}

/** As the gateway does it. */
const means = (pattern: string, event: string): boolean =>
  pattern === event ||
  (event !== "session.event" && (pattern === "*" || (pattern.endsWith(".*") && event.startsWith(pattern.slice(0, -1)))))

const concerns = ({ pattern, sessionIds }: Listening, { event, payload }: typeof EventFrame.Type): boolean => {
  if (!means(pattern, event)) return false
  const { sessionId } = (payload ?? {}) as { readonly sessionId?: unknown }
  return sessionIds === undefined || (typeof sessionId === "string" && sessionIds.includes(sessionId))
}

const firstRetry = 100

/** A client of a gateway. It connects at once. */
export const makeGatewayClient = (options: GatewayClientOptions): GatewayClient => {
  const SocketClass = options.WebSocket ?? (globalThis.WebSocket as unknown as GatewaySocketClass | undefined)
  if (SocketClass === undefined)
    throw new GatewayError({
      code: "NO_WEBSOCKET",
      message: 'There is no WebSocket here. Node 20 needs that of the package `ws`: `import { WebSocket } from "ws"`.'
    })
  const pending = new Map<string, Pending>()
  const listening = new Set<Listening>()
  const places = new Places()
  let state: GatewayState = "connecting"
  let socket: GatewaySocket | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let tries = 0
  let count = 0

  const become = (next: GatewayState): void => {
    if (state === next) return
    state = next
    options.onState?.(next)
  }

  const send = (id: string, each: Pending): void => {
    if (socket === undefined || state !== "open") return
    each.isSent = true
    socket.send(each.text)
    pending.set(id, each)
  }

  const call = (method: string, params: unknown, { signal, timeout }: GatewayCallOptions = {}): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (state === "closed") return reject(closedError())
      const id = String(++count)
      const limit = timeout ?? options.timeout ?? 30_000
      const done = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener("abort", onAbort)
        pending.delete(id)
      }
      const fail = (error: unknown): void => {
        done()
        reject(error)
      }
      const onAbort = (): void => fail(signal?.reason)
      const timer = setTimeout(() => {
        const where = state === "open" ? "The gateway did not answer" : "There was no connection to the gateway"
        fail(new GatewayError({ code: "TIMEOUT", message: `${where} within ${limit} ms.` }))
      }, limit)
      signal?.addEventListener("abort", onAbort)
      const each: Pending = {
        text: JSON.stringify({ type: "req", id, method, params: params ?? {} }),
        isSent: false,
        resolve: (payload) => {
          done()
          resolve(payload)
        },
        reject: fail
      }
      pending.set(id, each)
      if (signal?.aborted === true) onAbort()
      else send(id, each)
    })

  /** Says all that is wanted, after the connection was made again. */
  const subscribeAnew = async (): Promise<void> => {
    for (const params of subscriptionsFor([...listening], places.after()))
      await subscribe(params).catch(async (error: unknown) => {
        const { sessionIds } = params
        if (sessionIds === undefined || isUnanswered(error)) throw error
        // One that is gone, or elsewhere, is no reason not to hear of the others.
        for (const id of sessionIds)
          await subscribe(onlyOf(params, [id])).catch((cause: unknown) => {
            if (isUnanswered(cause)) throw cause
            options.onLost?.(places.answered({}, [id]))
          })
      })
  }

  const subscribe = async (params: ParamsOf<"subscribe">): Promise<void> => {
    const { sessions = {} } = (await call("subscribe", params)) as ResultOf<"subscribe">
    const lost = places.answered(sessions, Object.keys(params.after ?? {}))
    if (lost.length > 0) options.onLost?.(lost)
  }

  const hear = (text: string): void => {
    const frame = JSON.parse(text) as typeof EventFrame.Type | ResponseFrame
    if (frame.type === "event") {
      places.note(frame)
      for (const each of [...listening]) if (concerns(each, frame)) each.listener(frame)
      return
    }
    const each = pending.get(frame.id)
    if (frame.ok) each?.resolve(frame.payload)
    else {
      const { cause, code, error } = frame
      each?.reject(new GatewayError({ code, message: error, ...(cause !== undefined && { why: cause }) }))
    }
  }

  const connect = (): void => {
    const own = openSocket(SocketClass, options.url, options.token)
    socket = own
    own.onopen = () => {
      become("open")
      subscribeAnew().then(
        () => {
          tries = 0
          if (socket === own) for (const [id, each] of pending) if (!each.isSent) send(id, each)
        },
        // Nobody would know what is not heard: it is tried again, on a connection of its own.
        () => own.close()
      )
    }
    own.onmessage = (event: { readonly data: unknown }) => hear(String(event.data))
    // What is wrong is told by the end that follows.
    own.onerror = () => undefined
    own.onclose = () => {
      if (socket !== own || state === "closed") return
      socket = undefined
      become("connecting")
      for (const each of [...pending.values()])
        if (each.isSent)
          each.reject(
            new GatewayError({
              code: "DISCONNECTED",
              message: "The connection to the gateway broke before there was an answer. It may have been done."
            })
          )
      retry = setTimeout(connect, Math.min(firstRetry * 2 ** tries++, options.maxRetryDelay ?? 5000))
    }
  }
  connect()

  return {
    state: () => state,
    call: ((method: string, params?: unknown, callOptions?: GatewayCallOptions) =>
      call(method, params, callOptions)) as GatewayClient["call"],
    callExtension: call,
    listen: async (pattern, listener, { after = {}, sessionIds } = {}) => {
      const each: Listening = {
        pattern,
        sessionIds,
        listener: listener as unknown as Listening["listener"]
      }
      listening.add(each)
      places.set(after)
      try {
        await subscribe({ events: [pattern], after, ...(sessionIds !== undefined && { sessionIds }) })
      } catch (error) {
        // A connection that is made again subscribes to it by itself.
        if (!(error instanceof GatewayError && error.code === "DISCONNECTED")) {
          listening.delete(each)
          throw error
        }
      }
      return () => {
        if (!listening.delete(each) || state === "closed") return
        if (![...listening].some((other) => other.pattern === pattern))
          call("unsubscribe", { events: [pattern] }).catch(() => undefined)
      }
    },
    positions: () => places.after(),
    close: () => {
      become("closed")
      clearTimeout(retry)
      for (const each of [...pending.values()]) each.reject(closedError())
      socket?.close()
    }
  }
}

/** It may be that nobody has heard it. */
const isUnanswered = (error: unknown): boolean =>
  !(error instanceof GatewayError) ||
  error.code === "TIMEOUT" ||
  error.code === "DISCONNECTED" ||
  error.code === "CLOSED"

const closedError = (): GatewayError => new GatewayError({ code: "CLOSED", message: "This client is closed." })

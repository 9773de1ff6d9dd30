/**
 * The wire's own shapes that the management API carries.
 *
 * Each schema has an interface as its type: declarations can name that, where the inferred type is too deep to be
 * written down.
 */
import * as Agui from "@agentwire/protocol/agui"
import * as Claude from "@agentwire/protocol/claude"
import * as Model from "@agentwire/protocol/model"
import type * as Schema from "effect/Schema"

/** {@link ContentPart}. */
export interface ContentPart extends Schema.Codec<Agui.ContentPart> {}
/** A part of a message of AG-UI. */
export const ContentPart: ContentPart = Agui.ContentPart

/** {@link Message}. */
export interface Message extends Schema.Codec<Agui.Message> {}
/** A message of AG-UI. */
export const Message: Message = Agui.Message

/** {@link Event}. */
export interface Event extends Schema.Codec<Agui.AguiEvent> {}
/** An event of AG-UI. */
export const Event: Event = Agui.AguiEvent

/** {@link Tool}. */
export interface Tool extends Schema.Codec<Agui.Tool> {}
/** A tool of the application. */
export const Tool: Tool = Agui.Tool

/** {@link Request}. */
export interface Request extends Schema.Codec<Model.Request> {}
/** What an agent asks. */
export const Request: Request = Model.Request

/** {@link Init}. */
export interface Init extends Schema.Codec<Claude.SystemInit> {}
/** What the agent says of itself when a turn begins. */
export const Init: Init = Claude.SystemInit

/** {@link Greeting}. */
export interface Greeting extends Schema.Codec<Claude.InitializeResponse> {}
/** What the agent answers when it starts: its commands, models and account. */
export const Greeting: Greeting = Claude.InitializeResponse

/** {@link JsonRpc}. */
export interface JsonRpc extends Schema.Codec<Claude.JsonRpcMessage> {}
/** A message of JSON-RPC. */
export const JsonRpc: JsonRpc = Claude.JsonRpcMessage

/** The schema of what a control request is answered with. */
export interface Response<S extends Claude.ControlSubtype> extends Schema.Codec<Claude.ResponseOf<S>> {}

/** What a control request is answered with. */
export const responseOf = <S extends Claude.ControlSubtype>(subtype: S): Response<S> =>
  // The table's types are not generic over the subtype.
  Claude.controlRequests[subtype].response as unknown as Response<S>

/**
 * The wire between coding agents and user interfaces: one name for each room. Every room is a subpath, too
 * (`@agentwire/protocol/claude`), for those who want one of them alone.
 */

/** What tool calls do, for both runtimes: files, searches, commands; and calls in one line. */
export * as Actions from "./actions/index.ts"
/** Sub-agents that a project defines, as the files of Claude Code and of Codex. */
export * as Agents from "./agents/index.ts"
/** AG-UI 1.0 and 0.0: schemas, what a client has after some events, the model written as AG-UI and read from it. */
export * as Agui from "./agui/index.ts"
/** Codex's app-server as a face: the model written as Codex's own clients read it, and what they answer read. */
export * as AppServer from "./appserver/index.ts"
/** Claude Code: schemas, its codec, its versions, its wire folded into the model, commands as its lines. */
export * as Claude from "./claude/index.ts"
/** Codecs of any protocol, and what they say of a line. */
export * as Codec from "./codec.ts"
/** Codex: schemas of its app-server, generated from what it prints of itself, its codec, both sides heard together. */
export * as Codex from "./codex/index.ts"
/** Judges streams of AG-UI, and what became of an agent's words in them. */
export * as Conform from "./conform/index.ts"
/** CopilotKit's transport: the bodies of its requests and answers. */
export * as CopilotKit from "./copilotkit/index.ts"
/** A gateway's WebSocket: schemas of its frames, methods and events, the model written as events, requests read. */
export * as Gateway from "./gateway/index.ts"
/** JSON-RPC: messages told apart, and a peer that asks and answers over any connection of texts. */
export * as JsonRpc from "./jsonrpc/index.ts"
/** The conversation itself, whoever speaks it: events, requests, commands, what is open, what was said. */
export * as Model from "./model/index.ts"
/** Normalised events, the same whichever runtime an agent has: schemas, and the model written as events. */
export * as Normalised from "./normalised/index.ts"
/** Recorded sessions: reading and writing them, replaying either side, hiding secrets. */
export * as Tape from "./tape/index.ts"
/** Claude Code to AG-UI in one step: the fold and the writer composed. */
export * as Translate from "./translate/index.ts"
/** Lines, server-sent events and JSON values, without Effect. */
export * as Wire from "./wire/index.ts"

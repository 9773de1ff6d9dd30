/**
 * JSON-RPC for programs that ask each other: messages told apart, and a peer over any connection of texts. The key
 * `jsonrpc` may be there or not; ids of both sides are in one space of numbers.
 */
export * from "./Channel.ts"
export * from "./Failure.ts"
export * from "./Message.ts"
export * from "./Peer.ts"

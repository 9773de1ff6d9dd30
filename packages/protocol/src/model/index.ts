/** One conversation, whatever the runtime and whatever the face: events, what is open, what was said, what is asked. */
export * from "./Command.ts"
export * from "./Content.ts"
export * from "./Event.ts"
export * from "./Request.ts"
export * from "./Situation.ts"
export * from "./SituationJson.ts"
export * from "./Transcript.ts"
export * from "./Usage.ts"

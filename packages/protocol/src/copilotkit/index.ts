/** CopilotKit's transport: REST routes, the single-endpoint envelope, `/info`, stop. */
export * from "./Transport.ts"

/** Stands in for what the page never loads, such as CopilotKit's inspector, which is for its development builds. */
export default {}

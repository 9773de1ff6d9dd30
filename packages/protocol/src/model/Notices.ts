/**
 * The names of what a session notices by itself, besides what its runtime does.
 */

/** Somebody has stopped the turn that is open. Its end follows when the agent has heard it. */
export const turnStopping = "turn_stopping"

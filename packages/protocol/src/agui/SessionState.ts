/** The part of an application's state that is not the application's. */

/** The key under which the state holds what the session says about itself. */
export const sessionStateKey = "agentwire"

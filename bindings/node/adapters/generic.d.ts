import type { Given, Logging, Session } from './session.js';
export type { FinishedCall, Given, Logging, Session } from './session.js';

/**
 * Gives an agent a memory: call the session's methods as things happen, and hand on the text that they give.
 *
 * `session` is the agent's own id of the session, so that a resumed one goes on; a new one is made up where there is none.
 */
export function attach(memory: Given, options?: { session?: string; harness?: string; cwd?: string } & Logging): Session;

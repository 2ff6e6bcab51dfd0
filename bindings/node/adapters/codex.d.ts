import type { Engram } from '../index.js';
import type { Logging } from './session.js';

/** What a hook of Codex received, to what it takes as the answer; `{}` when there is nothing to say. Never throws. */
export function handle(memory: Engram, payload: object, options?: Logging): object;

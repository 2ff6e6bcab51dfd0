import type { Engram, Options } from '../index.js';
import type { Logging } from './session.js';

/**
 * An extension of Pi, and so of GSD 2: recall goes into the prompt, tool results are captured. In
 * `.pi/extensions/engram.ts`: `export { default } from 'engram/gsd'`.
 *
 * Inside a unit of GSD the ids of milestone, slice and task stand before the prompt in the log, so that what is learned there
 * is found by them.
 */
export function extension(options?: { memory?: Engram; engram?: Partial<Options> } & Logging): (pi: any) => void;
declare const withDefaults: (pi: any) => void;
export default withDefaults;

import type { Engram, Options } from '../index.js';
import type { Logging } from './session.js';

/**
 * An extension of Pi, and so of GSD 2: recall goes into the prompt, tool results are captured. In
 * `.pi/extensions/engram.ts`: `export { default } from 'engram/gsd'`.
 *
 * Inside a unit of GSD the ids of milestone, slice and task stand before the prompt in the log and among the flags of each tool
 * call, so that the episode that is made of them carries them and is found by them.
 */
declare function gsd(pi: any): void;
declare namespace gsd {
  /** The same with a memory, or the options of one, and a log of your own. */
  function extension(options?: { memory?: Engram; engram?: Partial<Options> } & Logging): (pi: any) => void;
}
export = gsd;

import type { Options } from '../index.js';
import type { Logging } from './session.js';

/** A plugin of OpenCode. In `.opencode/plugin/engram.js`: `export { EngramPlugin } from 'engram/opencode'`. */
export function EngramPlugin(
  input: { client?: any; directory?: string; worktree?: string; [other: string]: any },
  options?: { engram?: Partial<Options> } & Logging,
): Promise<Record<string, any>>;

import type { Engram } from '../index.js';
import type { Given, Logging } from './session.js';

/** What Claude Code's hook received, to what it takes as the answer; `{}` when there is nothing to say. Never throws. */
export function handle(memory: Engram, payload: object, options?: Logging): object;

/**
 * Hooks for `options.hooks` of the Claude Agent SDK. Call `end` when the agent is done, so that engram learns from it.
 * `source` says how the session began: `startup` or `resume`.
 */
export function hooks(
  memory: Given,
  options?: { source?: string } & Logging,
): {
  memory: Engram;
  hooks: Record<string, { hooks: ((input: any) => Promise<any>)[]; timeout: number }[]>;
  end(): Promise<void>;
};

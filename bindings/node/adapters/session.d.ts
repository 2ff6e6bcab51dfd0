import type { Engram, Options } from '../index.js';

/** What goes wrong in engram is a line for `log` (default: `console.error`) and never an exception. */
export interface Logging {
  log?: (line: string) => void;
}

/** A memory that is open, or how to open one. */
export type Given = Engram | Options;

/** A tool call that finished or failed. */
export interface FinishedCall {
  tool: string;
  input?: unknown;
  output?: unknown;
  error?: string;
  exitCode?: number;
  toolUseId?: string;
  agent?: string;
}

/** One session of an agent. Each method gives what to hand to the agent; '' when there is nothing, or engram fails. */
export class Session {
  readonly memory: Engram;
  readonly session: string;
  onSessionStart(start?: { source?: string }): string;
  onUserPrompt(text: string): string;
  onToolCall(call: FinishedCall): string;
  onDecision(content: string, of?: { rationale?: string; files?: string[]; rejected?: string[] }): void;
  onStop(text?: string, of?: { agent?: string }): void;
  onCompaction(compaction?: { trigger?: string }): void;
  /** Lets engram learn from the session, ten seconds at most; the rest is done at the next start. */
  onSessionEnd(end?: { reason?: string }): Promise<void>;
}

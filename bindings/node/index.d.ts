/**
 * Memory for AI coding agents, in-process. Open the memory of a project, tell it what the agent does, and hand on what it says.
 *
 * @example
 * const memory = Engram.open({ project: '.' });
 * const { context } = memory.onSessionStart({ session: 'monday', source: 'startup' });
 */

/** A harness whose tools engram knows, or any other. */
export type Harness = 'claude-code' | 'codex' | 'gemini' | 'opencode' | 'copilot' | 'cursor' | 'gsd' | 'generic';

/** The kinds of errors, the same in every language. */
export type ErrorKind =
  | 'InvalidArgument'
  | 'Config'
  | 'Io'
  | 'Storage'
  | 'Corrupt'
  | 'Model'
  | 'ModelReply'
  | 'Closed'
  | 'Busy'
  | 'Forked'
  | 'Panic';

/** What every method throws, or rejects with. `Busy` and `Model` are temporary. */
export class EngramError extends Error {
  /** The kind. */
  readonly kind: ErrorKind;
  /** The kind as Node writes codes: `ENGRAM_INVALID_ARGUMENT`, `ENGRAM_MODEL_REPLY`, ... */
  readonly code: string;
}

/** Tokens of one injection each. */
export interface InjectionBudget {
  /** At the start of a session. */
  sessionStart?: number;
  /** With a prompt. */
  prompt?: number;
  /** At the first read of a file. */
  annotation?: number;
  /** One warning. */
  warning?: number;
}

// engram:config begin
/** Settings by name; what is left out has its default. */
export interface Config {
  /** language model that consolidates; offline uses rules only: one of offline, anthropic, openai, command; default "offline". */
  llmProvider?: "offline" | "anthropic" | "openai" | "command";
  /** address of the language model's API; empty = the provider's own: a text; default "". */
  llmBaseUrl?: string;
  /** program that answers prompts when llmProvider is command: a text; default "". */
  llmCommand?: string;
  /** what turns text into vectors; anthropic means Voyage: one of builtin, anthropic, voyage, openai, ollama; default "builtin". */
  embeddingProvider?: "builtin" | "anthropic" | "voyage" | "openai" | "ollama";
  /** model of the embedding provider: a text; default "engram-static-128". */
  embeddingModel?: string;
  /** address of the embedding API; empty = the provider's own: a text; default "". */
  embeddingBaseUrl?: string;
  /** model of pass 1, the window summaries: a text; default "claude-sonnet-4-6". */
  consolidationModel?: string;
  /** model of pass 2, the episode: a text; default "claude-opus-4-6". */
  episodeExtractionModel?: string;
  /** model that judges changes against decisions: a text; default "claude-haiku-4-5". */
  contradictionModel?: string;
  /** share of activation that one hop passes on: a number from 0 to 1; default 0.6. */
  decayFactor?: number;
  /** notes activated less than this are not recalled: a number from 0 to 1; default 0.1. */
  activationThreshold?: number;
  /** events in one summary window: a whole number from 2 to 100; default 10. */
  windowSize?: number;
  /** events that neighbouring windows share: a whole number from 0 to 50; default 3. */
  windowOverlap?: number;
  /** fewer events than this, all of them talk, get the light pass: a whole number from 1 to 1000; default 3. */
  minEventsForFullConsolidation?: number;
  /** weaker decisions are not checked against: a number from 0 to 1; default 0.3. */
  contradictionStrengthThreshold?: number;
  /** failed model checks in a row that switch the check off for a session: a whole number from 1 to 100; default 3. */
  maxContradictionFailures?: number;
  /** what happens when a change contradicts a decision: one of advise, confirm, ask, off; default "advise". */
  contradictionMode?: "advise" | "confirm" | "ask" | "off";
  /** longest wait for one model answer, in milliseconds: a whole number from 100 to 600000; default 30000. */
  probeTimeoutMs?: number;
  /** what an acknowledged event survives: a killed process, or power loss too: one of process, power; default "power". */
  durability?: "process" | "power";
  /** model tokens a day; 0 = none: a whole number of at least 0; default 200000. */
  tokenBudgetPerDay?: number;
  /** tokens of one injection: sessionStart, prompt, annotation, warning: an object of sessionStart, prompt, annotation and warning in tokens. */
  injectionBudget?: InjectionBudget;
  /** globs of paths that are never captured: a list of texts; default []. */
  ignore?: string[];
  /** false stops capture; recall goes on: true or false; default true. */
  capture?: boolean;
}
// engram:config end

/** What a language model is asked. */
export interface Completion {
  /** The standing instructions. */
  system: string;
  /** The request itself. */
  prompt: string;
  /** The most tokens that the reply may have. */
  maxTokens: number;
  /** The JSON schema that the reply has to satisfy; none = free text. */
  schema?: Record<string, unknown>;
}

/** What it answers. Tokens are estimated where they are not given. */
export interface Completed {
  text: string;
  inputTokens?: number;
  outputTokens?: number;
}

/** A language model of the program's own, which consolidates. */
export interface LanguageModel {
  /** The name that episodes and the audit carry. */
  name: string;
  /**
   * Answers a request. What it throws, a promise that is rejected, an answer after `probeTimeoutMs` and one in another form are
   * failures of the model: the work stays pending, and after three failed runs is done by rules alone.
   */
  complete(request: Completion): string | Completed | Promise<string | Completed>;
}

/** A list of numbers for each text, in order; null for a text that has none. */
export type Vectors = (ArrayLike<number> | null)[];

/** An embedder of the program's own. */
export interface Embedder {
  /** The name that stored vectors carry; another name means another space. */
  model: string;
  /** The length of every vector. */
  dimensions: number;
  /** Makes vectors. Failures are as those of a language model; notes are stored without vectors then. */
  embed(texts: string[]): Vectors | { vectors: Vectors } | Promise<Vectors | { vectors: Vectors }>;
}

/** How a memory is opened. */
export interface Options {
  /** A directory of the project. */
  project: string;
  /** Where engram keeps its data; `ENGRAM_HOME` or `~/.engram` if not given. */
  home?: string;
  /** Settings; the home's `config.json` and the environment if not given. */
  config?: Config;
  /** `worker` (default): a thread of the handle consolidates after each turn. `caller`: `consolidate` does. */
  background?: 'worker' | 'caller';
  /** Rules alone if not given. */
  languageModel?: LanguageModel;
  /** The table inside engram if not given. */
  embedder?: Embedder;
}

/** A session begins, or goes on. */
export interface SessionStart {
  session: string;
  source?: 'startup' | 'resume' | 'clear' | 'compact' | 'fork';
  harness?: Harness;
  /** The working directory; the project's root if not given. */
  cwd?: string;
  /** When, in RFC 3339; now if not given. */
  ts?: string;
}

/** The user said something. */
export interface UserPrompt {
  session: string;
  text: string;
  ts?: string;
}

/** A tool call finished. A failed one has `error` and perhaps no `output`. */
export interface ToolCall {
  session: string;
  /** The harness's name of the tool. */
  tool: string;
  /** The arguments: the harness's own object. */
  input: unknown;
  /** The result: the harness's own object, or a text. */
  output?: unknown;
  error?: string;
  exitCode?: number;
  harness?: Harness;
  cwd?: string;
  toolUseId?: string;
  /** The sub-agent that made the call. */
  agent?: string;
  ts?: string;
  flags?: string[];
}

/** A decision that is saved on purpose. */
export interface Decided {
  session: string;
  /** What was decided. */
  content: string;
  rationale?: string;
  /** The files that it is about; the whole project if there are none. */
  files?: string[];
  /** What was decided against. */
  rejected?: string[];
  ts?: string;
}

/** The agent finished responding. */
export interface Stop {
  session: string;
  /** The agent's final message. */
  text: string;
  agent?: string;
  ts?: string;
}

/** The harness compacts its context. */
export interface Compaction {
  session: string;
  trigger?: 'manual' | 'auto';
  ts?: string;
}

/** The session ended. */
export interface SessionEnd {
  session: string;
  reason?: string;
  ts?: string;
}

/** One line of a session's log; docs/wire.md has the fields of each type. */
export interface Event {
  v: number;
  ts: string;
  type: string;
  turn: number;
  tool?: string;
  toolUseId?: string;
  agent?: string;
  derived?: string[];
  flags?: string[];
  [field: string]: unknown;
}

/** A note that was recalled. */
export interface RecallItem {
  id: string;
  name: string;
  type: 'concept' | 'episode' | 'decision' | 'finding' | 'error';
  trust: 'user' | 'observed' | 'inferred' | 'quarantined';
  tier: 'high' | 'medium' | 'low';
  activation: number;
  strength: number;
  text: string;
  framing: string;
  files: string[];
  episode: string;
  session: string;
  /** The day, `YYYY-MM-DD`. */
  learned: string;
  /** Why it came to mind. */
  via: string[];
  /** The root of its project, where that is another one. */
  project?: string;
}

/** What came to mind. */
export interface Recall {
  items: RecallItem[];
  /** The block to hand to the agent. */
  text: string;
  /** How many tokens it has, by estimate. */
  tokens: number;
  /** How many notes had no room. */
  dropped: number;
  elapsedMicros: number;
}

/** What a change is, held against the decisions that bind its file. */
export interface Verdict {
  verdict: 'NO_CONTRADICTION' | 'INDIRECT_CONTRADICTION' | 'DIRECT_CONTRADICTION';
  severity: 'low' | 'medium' | 'high';
  /** The decisions' ids. */
  decisions: string[];
  explanation: string;
  recommendation: string;
  checkedBy: 'offline' | 'model';
  elapsedMicros: number;
}

/** What engram has to say after something happened. */
export interface Reply {
  /** What was logged; absent if capture is off or it was a repetition. */
  event?: Event;
  recall: Recall;
  warnings: Verdict[];
  /** Remarks about how the session goes, for example an error that keeps coming back; absent without any. */
  advice?: string[];
  /** What to hand to the agent: the warnings, the remarks and the recalled block. Often empty. */
  context: string;
  /** What went wrong beside the capture itself; for a log, not for the agent. */
  trouble: string[];
}

/** A question. */
export interface Ask {
  question: string;
  /** At most so many notes; 10 if not given. */
  limit?: number;
  /** This project (default), or every project of the home. */
  scope?: 'project' | 'all';
  /** Tokens of the block. */
  budget?: number;
}

/** Something the user wants remembered. */
export interface Remember {
  text: string;
  /** `decision` if not given. */
  type?: 'decision' | 'finding' | 'preference';
  files?: string[];
  rationale?: string;
}

/** What became of it. */
export interface Remembered {
  /** The note's id; null while another process consolidates and will apply it. */
  id: string | null;
  /** Otherwise it made a known note stronger. */
  isNew: boolean;
  /** How many older notes it took the place of. */
  superseded: number;
}

/** What is to be forgotten: one note by its id, or everything that holds a text, letter case aside. */
export type Forget = ({ id: string; text?: undefined } | { text: string; id?: undefined }) & {
  /** Say what would be forgotten, and forget nothing. */
  dryRun?: boolean;
};

/** What was forgotten. */
export interface Forgotten {
  /** The notes that are gone. */
  forgotten: { id: string; name: string }[];
  /** Notes that lost the sentences in which it stood; absent if there are none. */
  shortened?: { id: string; name: string }[];
  /** Present and true while another process consolidates and will do it. */
  pending?: boolean;
  dryRun: boolean;
}

/** A stretch of a session's log, in bytes. */
export interface PendingRange {
  session: string;
  from: number;
  to: number;
}

/** What a consolidation made. */
export interface Consolidated {
  episodes: { id: string; session: string; goal: string; outcome: string; nodes: number }[];
  created: number;
  merged: number;
  superseded: number;
  edges: number;
  events: number;
  damagedLines: number;
  /** What is still pending, with the reason. */
  pending: (PendingRange & { reason: string })[];
}

/** What is remembered and what is pending. */
export interface Status {
  project: string;
  data: string;
  home: string;
  sessions: number;
  pending: number;
  pendingRanges: PendingRange[];
  nodes: { total: number; byType: Record<string, number>; byTrust: Record<string, number> };
  edges: number;
  episodes: number;
  dbBytes: number;
  embedder: string;
  llm: string;
  tokensToday: number;
  lastConsolidation: string | null;
  warnings: string[];
  /** How the session goes that was asked about. */
  session?: SessionReport;
}

/** How a session goes. */
export interface SessionReport {
  session: string;
  events: number;
  toolCalls: number;
  turns: number;
  /** How much of the agent's own plan is done, 0 to 1; null where it keeps none. */
  progress: number | null;
  /** Unique files moved forward in each ten calls, and whether that falls. */
  velocity: { perStretch: number[]; declining: boolean };
  /** Reads and searches against changes, over the last 20 calls. */
  searchToAct: { searches: number; acts: number; ratio: number; expansion: number; concerning: boolean };
  /** Errors that came back after an attempt to mend them, most often first. */
  repetitions: { signature: string; repetitions: number; open: boolean }[];
}

/** A node in full; docs/wire.md names its fields. */
export interface Node {
  id: string;
  name: string;
  type: string;
  description: string;
  strength: number;
  [field: string]: unknown;
}

/** A model that answered. */
export interface Answered {
  name: string;
  elapsedMicros: number;
}

/**
 * The memory of one project, open. It belongs to the thread that opened it; worker threads open their own.
 *
 * Methods that return a value take microseconds to a millisecond; the `on` ones return when their event is on disk. Those that
 * return a promise work on threads of engram's. An open memory keeps no process alive; a promise that is waited for does.
 */
export class Engram {
  private constructor();

  /**
   * Opens the memory of the project that a directory belongs to. Nothing is created until there is something to store.
   *
   * @throws {EngramError} `InvalidArgument` if the directory belongs to no project, `Config` naming the first bad setting.
   */
  static open(options: Options): Engram;

  /** Whether calls will be refused. */
  readonly closed: boolean;

  /** Calls a verb by its name on the wire, in this thread; for what this package does not name. */
  call(verb: string, args?: unknown): any;

  /** Calls a verb by its name on the wire, on another thread. */
  callAsync(verb: string, args?: unknown): Promise<any>;

  /** Closes: new calls are refused, those under way end by themselves and the last of them closes. A second close does nothing. */
  close(): Promise<void>;

  /** A session begins or goes on: logged, and what it should know is recalled in `context`. */
  onSessionStart(start: SessionStart): Reply;

  /** The user said something: logged, and answered with what it brings to mind. */
  onUserPrompt(prompt: UserPrompt): Reply;

  /**
   * A tool call finished: one event. The first read of a file is answered with what is known of it, a write with the
   * contradictions it makes.
   */
  onToolCall(call: ToolCall): Reply;

  /** A decision is saved on purpose: logged, and remembered as an explicit one when the turn is consolidated. */
  onDecision(decided: Decided): Reply;

  /** The agent finished responding: logged, and consolidation is asked for. */
  onStop(stop: Stop): Reply;

  /** The harness compacts its context: notes may be told again. */
  onCompaction(compaction: Compaction): Reply;

  /** The session ended. */
  onSessionEnd(end: SessionEnd): Reply;

  /**
   * Handles what a harness's own hook received, with the rules of the `engram` program, inside this process: `answer` is what
   * the harness takes as the hook's answer, null where there is nothing to say.
   */
  hook(
    harness: Harness,
    payload: object,
  ): { answer: object | null; context: string; trouble: string[] };

  /** What is remembered and what is pending; with a session, also how that goes. */
  status(args?: { session?: string }): Status;

  /** The events of a session's log, in order. */
  events(args: { session: string }): { events: Event[]; damagedLines: number };

  /** A node by its id, whatever its state; null if there is none. */
  node(args: { id: string }): Node | null;

  /** Recalls what a question brings to mind. */
  retrieve(ask: Ask): Promise<Recall>;

  /** The notes that a question brings to mind, most active first, without a budget. */
  search(ask: { question: string; limit?: number }): Promise<RecallItem[]>;

  /** Checks a change (a unified diff of one file) against the decisions that bind its file. */
  checkContradiction(change: { path: string; diff: string }): Promise<Verdict>;

  /** Consolidates what is pending. Rejects with `Busy` if another consolidator works longer than `waitMs` (60,000). */
  consolidate(options?: { session?: string; waitMs?: number }): Promise<Consolidated>;

  /** Waits until the background work asked for so far is done, `timeoutMs` (10,000) at most; says whether it is. */
  flush(timeoutMs?: number): Promise<boolean>;

  /** Remembers what the user says, with the user's trust; durable when the promise is kept. */
  remember(memory: Remember): Promise<Remembered>;

  /**
   * Forgets a note, or everything that holds a text, for good. Rejects with `InvalidArgument` if there is no such note or
   * no note holds the text.
   */
  forget(what: Forget): Promise<Forgotten>;

  /** Imports notes, one JSON object a line; with `dryRun` says how many there are and stores nothing. */
  importNotes(args: { notes: string; dryRun?: false }): Promise<Consolidated>;
  importNotes(args: { notes: string; dryRun: true }): Promise<{ notes: number }>;

  /** Makes a log of what another source recorded of a session, unless it has one. */
  importSession(args: {
    session: string;
    root: string;
    observed: { event: string; data: unknown }[];
  }): Promise<{ events: number }>;

  /** Every node, and every edge as `[from, type, to, strength]`. */
  graph(): Promise<{ nodes: Node[]; edges: [string, string, string, number][] }>;

  /** Asks the language model and the embedder for one small thing each, as consolidation will; rejects with what is wrong. */
  probe(): Promise<{ embedder: Answered; languageModel?: Answered }>;
}

/** The kinds of errors and their numbers. */
export const kinds: Record<ErrorKind, number>;

/** The version of the library. */
export const version: string;

/** The verbs of `call`, by their names on the wire. */
export const verbs: string[];

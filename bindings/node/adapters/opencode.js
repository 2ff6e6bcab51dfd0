'use strict';
// engram/opencode: a plugin of OpenCode, in-process.

const { Session, guarded, opened } = require('./session.js');

const text = (parts) => (parts ?? []).filter((p) => p.type === 'text' && !p.synthetic).map((p) => p.text).join('\n');

exports.EngramPlugin = async ({ client, directory, worktree }, options = {}) => {
  const report = (message) => client?.app?.log?.({ body: { service: 'engram', level: 'warn', message } })?.catch?.(() => {});
  const log = options.log ?? report;
  // A memory that cannot be opened, for example in the home folder, costs the user nothing but the memory.
  const memory = guarded(log, 'open', () => opened({ project: directory ?? worktree, ...options.engram }));
  if (!memory) return {};
  const sessions = new Map();
  const of = (id) => {
    if (!sessions.has(id)) {
      const session = new Session(memory, { session: id, harness: 'opencode', cwd: directory, log });
      sessions.set(id, { session, start: session.onSessionStart(), said: '', failed: new Set() });
    }
    return sessions.get(id);
  };

  /** What OpenCode reports beside the calls of its hooks. */
  const events = {
    'session.idle': ({ sessionID }) => {
      const known = sessions.get(sessionID);
      known?.session.onStop(known.said);
    },
    'session.compacted': ({ sessionID }) => {
      const known = of(sessionID);
      known.session.onCompaction({ trigger: 'auto' });
      known.start = known.session.onSessionStart({ source: 'compact' });
    },
    'session.deleted': ({ info }) => sessions.get(info?.id)?.session.onSessionEnd({ reason: 'deleted' }),
    'message.part.updated': ({ part }) => {
      const known = part?.sessionID && sessions.get(part.sessionID);
      if (!known) return;
      if (part.type === 'text' && part.time?.end) known.said = part.text;
      // A tool that failed reaches no hook of its own.
      if (part.type === 'tool' && part.state?.status === 'error' && !known.failed.has(part.callID)) {
        known.failed.add(part.callID);
        const { input, error, metadata } = part.state;
        known.session.onToolCall({ tool: part.tool, input, error: String(error), exitCode: metadata?.exit, toolUseId: part.callID });
      }
    },
  };

  return {
    'chat.message': async ({ sessionID }, output) => {
      const known = of(sessionID);
      known.prompted = known.session.onUserPrompt(text(output.parts));
    },
    'experimental.chat.system.transform': async ({ sessionID }, output) => {
      if (!sessionID) return;
      const { start, prompted } = of(sessionID);
      output.system.push(...[start, prompted].filter(Boolean));
    },
    'tool.execute.after': async ({ tool, sessionID, callID, args }, output) => {
      const result = { output: output.output, title: output.title, metadata: output.metadata };
      const exitCode = output.metadata?.exit ?? undefined;
      const told = of(sessionID).session.onToolCall({ tool, input: args, output: result, exitCode, toolUseId: callID });
      if (told) output.output = `${output.output}\n\n${told}`;
    },
    event: async ({ event }) => {
      guarded(log, event.type, () => events[event.type]?.(event.properties ?? {}));
    },
    dispose: async () => {
      await memory.flush(5_000).catch(() => {});
      await memory.close();
    },
  };
};

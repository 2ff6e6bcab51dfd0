'use strict';
// engram/gsd: an extension of Pi, and so of GSD 2, in-process.

const { Session, guarded, opened } = require('./session.js');

const text = (content) => (content ?? []).filter((c) => c.type === 'text').map((c) => c.text).join('\n');
const spoken = (messages) => text([...(messages ?? [])].reverse().find((m) => m.role === 'assistant')?.content);
/** The unit of work that GSD runs, by its milestone, slice and task: it stands before the prompt and among a call's flags. */
const unit = (env) => ['milestone', 'slice', 'task'].map((part) => env[`GSD_${part.toUpperCase()}_ID`]).filter(Boolean).join('/');

const extension = (options = {}) => (pi) => {
  const log = options.log ?? console.error;
  let session;
  const begun = (ctx) => {
    const cwd = ctx?.cwd ?? process.cwd();
    const memory = session?.memory ?? opened(options.memory ?? { project: cwd, ...options.engram });
    return new Session(memory, { session: ctx?.sessionManager?.getSessionId?.() ?? `pi-${process.pid}-${Date.now()}`, harness: 'gsd', cwd, log });
  };
  const on = (event, act) =>
    pi.on(event, async (data, ctx) => guarded(log, event, () => {
      session ??= begun(ctx);
      return act(data, ctx);
    }));
  let start = '';

  pi.on('session_start', async (data, ctx) => {
    guarded(log, 'session_start', () => {
      session = begun(ctx);
      start = session.onSessionStart({ source: data.reason === 'resume' ? 'resume' : 'startup' });
    });
  });
  on('before_agent_start', ({ prompt }) => {
    const at = unit(process.env);
    const told = [start, session.onUserPrompt(at ? `[${at}] ${prompt}` : prompt)].filter(Boolean).join('\n\n');
    start = '';
    return told ? { message: { customType: 'engram', content: told, display: false } } : undefined;
  });
  on('tool_result', ({ toolCallId, toolName, input, content, isError, details }) => {
    const said = text(content);
    const result = isError ? { error: said || 'failed' } : { output: { output: said, details } };
    const at = unit(process.env);
    const flags = at ? [`unit:${at}`] : undefined;
    const told = session.onToolCall({ flags, tool: toolName, input, toolUseId: toolCallId, exitCode: details?.exitCode, ...result });
    return told ? { content: [...content, { type: 'text', text: told }] } : undefined;
  });
  on('agent_end', ({ messages }) => session.onStop(spoken(messages)));
  on('session_before_compact', () => session.onCompaction({ trigger: 'auto' }));
  pi.on('session_shutdown', async () => {
    await session?.onSessionEnd({ reason: 'shutdown' });
    if (!options.memory) await session?.memory.close();
    session = undefined;
  });
};

// An ES module finds the extension as its default import.
module.exports = extension();
module.exports.extension = extension;

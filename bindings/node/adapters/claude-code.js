'use strict';
// engram/claude-code: hooks of the Claude Agent SDK, in-process.

const { answering, opened } = require('./session.js');

// Seconds. engram answers in milliseconds; a hook that reaches the SDK's limit would block the prompt.
const TIMEOUT = 10;
const EVENTS = ['UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure', 'Stop', 'SubagentStop', 'PreCompact'];

exports.handle = (memory, payload, options) => answering('claude-code', memory, options)(payload);

exports.hooks = (given, { source = 'startup', ...options } = {}) => {
  const memory = opened(given);
  const answer = answering('claude-code', memory, options);
  const started = new Set();
  const told = (reply) => reply.hookSpecificOutput?.additionalContext;
  const hook = async (input) => {
    const { session_id, cwd, hook_event_name: event } = input;
    if (event !== 'UserPromptSubmit' || started.has(session_id)) return answer(input);
    // The SDK does not call back when a session starts: its first prompt is the start.
    started.add(session_id);
    const start = answer({ session_id, cwd, source, hook_event_name: 'SessionStart' });
    const reply = answer(input);
    const additionalContext = [told(start), told(reply)].filter(Boolean).join('\n\n');
    return additionalContext ? { hookSpecificOutput: { hookEventName: event, additionalContext } } : {};
  };
  const end = async () => {
    for (const session_id of started) answer({ session_id, hook_event_name: 'SessionEnd', reason: 'other' });
    await memory.flush(10_000).catch((error) => (options.log ?? console.error)(`engram: flush: ${error.message}`));
  };
  return { memory, end, hooks: Object.fromEntries(EVENTS.map((event) => [event, [{ hooks: [hook], timeout: TIMEOUT }]])) };
};

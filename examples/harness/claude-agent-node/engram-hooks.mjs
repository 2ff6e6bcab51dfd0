// Hooks of the Claude Agent SDK that give an agent a memory:
//
//     const memory = new EngramHooks(Engram.open({ project }));
//     for await (const message of query({ prompt, options: { hooks: memory.matchers(), ... } })) ...
//     await memory.end();

// Seconds. engram answers in milliseconds; a hook that reaches the SDK's limit would block the prompt.
const timeout = 10;
const told = ['UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure'];
const seen = [...told, 'Stop', 'SubagentStop', 'PreCompact'];

/** Tells a memory what the agent does, and the agent what it knows. Never stops the agent: what goes wrong is for `log`. */
export class EngramHooks {
  constructor(memory, { source = 'startup', log = console.error } = {}) {
    Object.assign(this, { memory, source, log, sessions: new Set() });
  }

  matchers() {
    const hooks = [async (input) => this.answer(input)];
    return Object.fromEntries(seen.map((event) => [event, [{ hooks, timeout }]]));
  }

  answer(input) {
    const event = input.hook_event_name;
    const additionalContext = this.calls(event, input).map(([verb, args]) => this.ask(verb, args)).filter(Boolean).join('\n\n');
    return additionalContext && told.includes(event) ? { hookSpecificOutput: { hookEventName: event, additionalContext } } : {};
  }

  /** The verbs of engram that an event of the SDK is. */
  calls(event, input) {
    const { session_id: session, agent_id: agent, tool_use_id: toolUseId, error } = input;
    const call = { session, harness: 'claude-code', cwd: input.cwd };
    if (event === 'UserPromptSubmit') {
      const prompt = ['onUserPrompt', { session, text: input.prompt }];
      if (this.sessions.has(session)) return [prompt];
      // The SDK does not call back when a session starts (README.md): the first prompt is the start.
      this.sessions.add(session);
      return [['onSessionStart', { ...call, source: this.source }], prompt];
    }
    if (event === 'PreCompact') return [['onCompaction', { session, trigger: input.trigger }]];
    if (event.endsWith('Stop')) return [['onStop', { session, text: input.last_assistant_message ?? '', agent }]];
    const result = { output: input.tool_response, error, toolUseId, agent };
    return [['onToolCall', { ...call, tool: input.tool_name, input: input.tool_input, ...result }]];
  }

  /** What engram wants told; nothing when it fails. These verbs are synchronous and quick. */
  ask(verb, args) {
    try {
      const { context, trouble } = this.memory[verb](args);
      trouble.forEach((what) => this.log(`engram: ${verb}: ${what}`));
      return context;
    } catch (error) {
      this.log(`engram: ${verb}: ${error.message}`);
      return '';
    }
  }

  /** The agent is done: lets engram learn from it, ten seconds at most; the rest is done at the next start. */
  async end() {
    for (const session of this.sessions) this.ask('onSessionEnd', { session });
    await this.memory.flush(10_000).catch((error) => this.log(`engram: flush: ${error.message}`));
  }
}

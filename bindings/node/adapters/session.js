'use strict';
// What every adapter shares: an agent's work goes on whatever engram says or does.

const { Engram } = require('../index.js');

/** An open memory from what the user of an adapter gave: a memory, or the options to open one. */
const opened = (given) => (typeof given?.hook === 'function' ? given : Engram.open(given));

/** Runs `call`; what goes wrong is for `log`, and nothing comes back then. */
function guarded(log, what, call) {
  try {
    const reply = call();
    for (const trouble of reply?.trouble ?? []) log(`engram: ${what}: ${trouble}`);
    return reply;
  } catch (error) {
    log(`engram: ${what}: ${error?.message ?? error}`);
    return undefined;
  }
}

/** Answers to the hooks of a harness, in the harness's own form: `(payload) => answer`. Never throws. */
function answering(harness, memory, { log = console.error } = {}) {
  return (payload) => guarded(log, payload?.hook_event_name ?? harness, () => memory.hook(harness, payload))?.answer ?? {};
}

/** One session of an agent. Each method gives what to hand to the agent; '' when there is nothing, or engram fails. */
class Session {
  constructor(memory, { session, harness = 'generic', cwd, log = console.error } = {}) {
    Object.assign(this, { memory, session, harness, cwd, log });
  }

  #say(verb, args) {
    return guarded(this.log, verb, () => this.memory[verb]({ session: this.session, ...args }))?.context ?? '';
  }

  onSessionStart({ source = 'startup' } = {}) {
    return this.#say('onSessionStart', { harness: this.harness, cwd: this.cwd, source });
  }

  onUserPrompt(text) {
    return this.#say('onUserPrompt', { text });
  }

  onToolCall(call) {
    return this.#say('onToolCall', { harness: this.harness, cwd: this.cwd, ...call });
  }

  onDecision(content, { rationale, files, rejected } = {}) {
    this.#say('onDecision', { content, rationale, files, rejected });
  }

  onStop(text = '', { agent } = {}) {
    this.#say('onStop', { text, agent });
  }

  onCompaction({ trigger } = {}) {
    this.#say('onCompaction', { trigger });
  }

  /** The session ended: engram learns from it, ten seconds at most; the rest is done at the next start. */
  async onSessionEnd({ reason } = {}) {
    this.#say('onSessionEnd', { reason });
    await this.memory.flush(10_000).catch((error) => this.log(`engram: flush: ${error.message}`));
  }
}

module.exports = { Session, answering, guarded, opened };

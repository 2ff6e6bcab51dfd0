// The entry points for harnesses, each driven as its harness drives it, over a real memory.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import test from 'node:test';
import { Engram } from 'engram';
import * as claude from 'engram/claude-code';
import * as codex from 'engram/codex';
import * as gemini from 'engram/gemini';
import { attach } from 'engram/generic';
import gsd, { extension } from 'engram/gsd';
import { EngramPlugin } from 'engram/opencode';
import { place } from './place.mjs';

const opened = () => Engram.open(place({ background: 'caller' }));
const types = (memory, session = 's') => memory.events({ session }).events.map((e) => e.type);
const rule = { text: 'Money is kept in integer cents instead of floats', type: 'decision' };
const edit = { file_path: 'cart.py', old_string: 'total_cents = 0', new_string: 'total = float(0)' };
const event = (hook_event_name, fields) => ({ hook_event_name, session_id: 's', cwd: '/', ...fields });

test('every entry point is there for both module systems', () => {
  const require = createRequire(import.meta.url);
  for (const name of ['claude-code', 'codex', 'gemini', 'opencode', 'gsd', 'generic']) {
    assert.ok(Object.keys(require(`engram/${name}`)).length > 0, name);
  }
  assert.throws(() => require('engram/adapters/session.js'), { code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' });
});

test('generic: a session is told and warned, and its events are logged', async () => {
  const memory = opened();
  await memory.remember(rule);
  const agent = attach(memory, { session: 's' });
  assert.match(agent.onSessionStart(), /integer cents/);
  assert.equal(agent.onUserPrompt('hello there'), '');
  assert.match(agent.onToolCall({ tool: 'edit', input: edit, output: 'ok' }), /engram warning:/);
  agent.onStop('Done.');
  agent.onCompaction();
  await agent.onSessionEnd();
  const log = types(memory).filter((type) => type !== 'injected');
  assert.deepEqual(log, ['session_start', 'prompt', 'file_write', 'turn_complete', 'compact', 'session_end']);
  await memory.close();
});

test('generic: an agent whose memory fails goes on', async () => {
  const memory = opened();
  await memory.close();
  const lines = [];
  const agent = attach(memory, { log: (line) => lines.push(line) });
  assert.equal(agent.onSessionStart() + agent.onUserPrompt('x') + agent.onToolCall({ tool: 'bash' }), '');
  agent.onStop();
  await agent.onSessionEnd();
  assert.deepEqual(lines.map((line) => line.split(': ')[1]), ['onSessionStart', 'onUserPrompt', 'onToolCall', 'onStop', 'onSessionEnd', 'flush']);
});

// Calls back as the Claude Agent SDK does.
const fire = (hooks, input) => hooks[input.hook_event_name][0].hooks[0](input);

test('claude-code: a session starts with its first prompt only', async () => {
  const memory = opened();
  const { hooks, end } = claude.hooks(memory, { source: 'resume' });
  for (const input of [
    event('UserPromptSubmit', { prompt: 'one' }),
    event('UserPromptSubmit', { prompt: 'two' }),
    event('PreCompact', { trigger: 'auto' }),
    event('SubagentStop', { agent_id: 'a1', last_assistant_message: 'Looked around.' }),
  ]) {
    assert.deepEqual(await fire(hooks, input), {});
  }
  await end();
  const { events } = memory.events({ session: 's' });
  assert.deepEqual(events.map((e) => e.type), ['session_start', 'prompt', 'prompt', 'compact', 'turn_complete', 'session_end']);
  assert.deepEqual([events[0].source, events[0].harness, events[4].agent], ['resume', 'claude-code', 'a1']);
  await memory.close();
});

test('claude-code: what is told names its event', async () => {
  const memory = opened();
  await memory.remember(rule);
  const { hooks } = claude.hooks(memory);
  const { hookSpecificOutput: said } = await fire(hooks, event('UserPromptSubmit', { prompt: 'go on' }));
  assert.equal(said.hookEventName, 'UserPromptSubmit');
  assert.match(said.additionalContext, /integer cents/);
  await memory.close();
});

test('claude-code: a closed memory is for the log', async () => {
  const lines = [];
  const memory = opened();
  const { hooks, end } = claude.hooks(memory, { log: (line) => lines.push(line) });
  await memory.close();
  assert.deepEqual(await fire(hooks, event('UserPromptSubmit', { prompt: 'one' })), {});
  await end();
  assert.deepEqual(lines.map((line) => line.split(': ')[1]), ['SessionStart', 'UserPromptSubmit', 'SessionEnd', 'flush']);
});

test('codex and gemini: payloads in, answers of the harness out', async () => {
  const memory = opened();
  await memory.remember(rule);
  const start = event('SessionStart', { source: 'startup' });
  for (const { handle } of [codex, gemini, claude]) {
    const answer = handle(memory, { ...start, session_id: `s${Math.random()}` });
    assert.equal(answer.hookSpecificOutput.hookEventName, 'SessionStart');
  }
  assert.deepEqual(codex.handle(memory, event('Stop', { last_assistant_message: 'Done.' })), {});
  assert.deepEqual(gemini.handle(memory, event('PreCompress', { trigger: 'auto' })), {});
  assert.deepEqual(codex.handle(memory, null, { log: () => {} }), {}, 'nonsense is for the log');
  assert.throws(() => memory.hook('nobody', {}), { code: 'ENGRAM_INVALID_ARGUMENT' });
  await memory.close();
});

test('opencode: told in the system prompt, warned beside the result, a failed tool is an event', async () => {
  const options = place();
  const seed = Engram.open(options);
  await seed.remember(rule);
  await seed.close();
  const hooks = await EngramPlugin({ directory: options.project }, { engram: options, log: assert.fail });
  const sessionID = 's';
  const message = { message: {}, parts: [{ type: 'text', text: 'Add a discount' }] };
  await hooks['chat.message']({ sessionID }, message);
  const asked = { system: ['You are an agent.'] };
  await hooks['experimental.chat.system.transform']({ sessionID }, asked);
  assert.match(asked.system.join('\n'), /integer cents/);
  const done = { title: 'cart.py', output: 'Edited.', metadata: {} };
  const args = { filePath: 'cart.py', oldString: 'total_cents = 0', newString: 'total = float(0)' };
  await hooks['tool.execute.after']({ tool: 'edit', sessionID, callID: 'c1', args }, done);
  assert.match(done.output, /^Edited\.\n\nengram warning:/);
  const part = (state, more) => ({ event: { type: 'message.part.updated', properties: { part: { sessionID, ...more, state } } } });
  const failed = { status: 'error', input: { command: 'make' }, error: 'make: *** No rule' };
  await hooks.event(part(failed, { type: 'tool', tool: 'bash', callID: 'c2' }));
  await hooks.event(part(failed, { type: 'tool', tool: 'bash', callID: 'c2' }));
  await hooks.event(part(undefined, { type: 'text', text: 'It is done.', time: { end: 1 } }));
  await hooks.event({ event: { type: 'session.idle', properties: { sessionID } } });
  await hooks.event({ event: { type: 'session.compacted', properties: { sessionID } } });
  await hooks.event({ event: { type: 'something.new' } });
  await hooks.dispose();
  const memory = Engram.open(options);
  const { events } = memory.events({ session: 's' });
  const log = events.filter((e) => e.type !== 'injected');
  assert.deepEqual(log.map((e) => e.type), ['session_start', 'prompt', 'file_write', 'build', 'turn_complete', 'compact', 'session_start']);
  assert.deepEqual([log[0].harness, log[3].exitCode !== 0, log[4].text], ['opencode', true, 'It is done.']);
  await memory.close();
});

test('opencode: where there is no project there are no hooks', async () => {
  const lines = [];
  assert.deepEqual(await EngramPlugin({ directory: '/' }, { log: (line) => lines.push(line) }), {});
  assert.equal(lines.length, 1);
});

/** What Pi hands to an extension, and calls back as documented. */
function pi() {
  const handlers = new Map();
  return {
    on: (name, handler) => handlers.set(name, handler),
    fire: (name, data = {}, ctx = { cwd: '/', sessionManager: { getSessionId: () => 's' } }) => handlers.get(name)(data, ctx),
  };
}

test('gsd: told with the prompt, warned beside the result, the unit of work stands in the log', async () => {
  const memory = opened();
  await memory.remember(rule);
  const host = pi();
  extension({ memory, log: assert.fail })(host);
  process.env.GSD_MILESTONE_ID = 'M001';
  process.env.GSD_SLICE_ID = 'S02';
  await host.fire('session_start', { reason: 'startup' });
  const told = await host.fire('before_agent_start', { prompt: 'Add a discount' });
  assert.match(told.message.content, /integer cents/);
  assert.deepEqual([told.message.customType, told.message.display], ['engram', false]);
  const content = [{ type: 'text', text: 'ok' }];
  const call = { toolCallId: 't1', toolName: 'edit', input: { path: 'cart.py', oldText: 'total_cents = 0', newText: 'total = float(0)' } };
  const answer = await host.fire('tool_result', { ...call, content, isError: false });
  assert.match(answer.content.at(-1).text, /engram warning:/);
  const failing = { toolCallId: 't2', toolName: 'bash', input: { command: 'npm test' } };
  await host.fire('tool_result', { ...failing, content: [{ type: 'text', text: '1 failed' }], isError: true });
  await host.fire('agent_end', { messages: [{ role: 'assistant', content: [{ type: 'text', text: 'Done.' }] }] });
  await host.fire('session_before_compact');
  await host.fire('session_shutdown');
  delete process.env.GSD_MILESTONE_ID;
  delete process.env.GSD_SLICE_ID;
  const log = memory.events({ session: 's' }).events.filter((e) => e.type !== 'injected');
  assert.deepEqual(log.map((e) => e.type), ['session_start', 'prompt', 'file_write', 'test_run', 'turn_complete', 'compact', 'session_end']);
  assert.equal(log[1].text, '[M001/S02] Add a discount');
  assert.deepEqual(log[2].flags, ['unit:M001/S02']);
  assert.equal(typeof gsd, 'function');
  await memory.close();
});

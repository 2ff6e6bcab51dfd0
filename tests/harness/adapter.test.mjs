// What the adapter for Node does in cases that the scripted sessions do not reach, over a real memory.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { Engram } from 'engram';
import { EngramHooks } from './engram-hooks.mjs';

let place;
let memory;

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'engram-harness-'));
  mkdirSync(join(place, 'project'));
  memory = Engram.open({ project: join(place, 'project'), home: join(place, 'home'), background: 'caller' });
});

afterEach(async () => {
  await memory.close();
  rmSync(place, { recursive: true });
});

const event = (hook_event_name, fields) => ({ hook_event_name, session_id: 's', cwd: '/', ...fields });

// Calls back as the SDK does.
const fire = (hooks, input) => hooks.matchers()[input.hook_event_name][0].hooks[0](input);

test('a session starts with its first prompt only', async () => {
  const hooks = new EngramHooks(memory, { source: 'resume' });
  for (const input of [
    event('UserPromptSubmit', { prompt: 'one' }),
    event('UserPromptSubmit', { prompt: 'two' }),
    event('PreCompact', { trigger: 'auto' }),
    event('SubagentStop', { agent_id: 'a1', last_assistant_message: 'Looked around.' }),
  ]) {
    assert.deepEqual(await fire(hooks, input), {});
  }
  await hooks.end();
  const { events } = memory.events({ session: 's' });
  const types = ['session_start', 'prompt', 'prompt', 'compact', 'turn_complete', 'session_end'];
  assert.deepEqual(events.map((e) => e.type), types);
  assert.equal(events[0].source, 'resume');
  assert.equal(events[4].agent, 'a1');
});

test('what is told names its event', async () => {
  await memory.remember({ text: 'Commit messages are one line', type: 'preference' });
  const { hookSpecificOutput: said } = await fire(new EngramHooks(memory), event('UserPromptSubmit', { prompt: 'go on' }));
  assert.equal(said.hookEventName, 'UserPromptSubmit');
  assert.match(said.additionalContext, /Commit messages are one line/);
});

test('a closed memory is for the log', async () => {
  const lines = [];
  const hooks = new EngramHooks(memory, { log: (line) => lines.push(line) });
  await memory.close();
  assert.deepEqual(await fire(hooks, event('UserPromptSubmit', { prompt: 'one' })), {});
  await hooks.end();
  const verbs = ['onSessionStart', 'onUserPrompt', 'onSessionEnd', 'flush'];
  assert.deepEqual(lines.map((line) => line.split(': ')[1]), verbs);
});

// What is Node's own: names, errors, promises, callbacks, worker threads, the end of a process.

import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { Engram, EngramError, kinds, verbs, version } from 'engram';
import { mixed, place, repository } from './place.mjs';

const run = promisify(execFile);
const code = (expected) => (error) => {
  assert.ok(error instanceof EngramError, String(error));
  assert.equal(error.code, expected, error.message);
  return true;
};
const types = readFileSync(createRequire(import.meta.url).resolve('engram').replace(/index\.js$/, 'index.d.ts'), 'utf8');

test('every verb has its method, and every method its types', () => {
  for (const verb of verbs) assert.equal(typeof Engram.prototype[verb], 'function', verb);
  const own = Object.getOwnPropertyNames(Engram.prototype).filter((name) => name !== 'constructor');
  for (const name of own) assert.match(types, new RegExp(`^  (readonly )?${name}[(:]`, 'm'), name);
  for (const name of own) {
    assert.ok([...verbs, 'call', 'callAsync', 'hook', 'close', 'closed'].includes(name), `${name} is no verb`);
  }
});

test('every method and type is documented', () => {
  const lines = types.split('\n');
  lines.forEach((line, i) => {
    const declares = /^(export (interface|class|type|const) \w+|  [a-z]\w+\()/.test(line);
    const overload = /^  [a-z]\w+\(/.test(lines[i - 1] ?? '');
    if (declares && !overload) assert.match(lines[i - 1], /\*\/$/, line);
  });
});

test('both module systems have the same', () => {
  const required = createRequire(import.meta.url)('engram');
  assert.equal(required.Engram, Engram);
  assert.match(readFileSync(join(repository, 'Cargo.toml'), 'utf8'), new RegExp(`version = "${version}"`));
});

test('codes follow from kinds', () => {
  for (const kind of Object.keys(kinds)) assert.match(types, new RegExp(`'${kind}'`));
  assert.throws(() => Engram.open(place({ config: { decayFactor: 7 } })), code('ENGRAM_CONFIG'));
  assert.throws(() => Engram.open(), code('ENGRAM_INVALID_ARGUMENT'));
  assert.throws(() => Engram.open(place({ project: '/nowhere/at/all' })), code('ENGRAM_INVALID_ARGUMENT'));
});

test('what has no JSON form is an invalid argument', async () => {
  const memory = Engram.open(place());
  const cycle = {};
  cycle.self = cycle;
  for (const input of [1n, cycle, { toJSON: () => { throw new Error('no'); } }, '\ud800']) {
    const call = { session: 's', tool: 't', input };
    assert.throws(() => memory.onToolCall(call), code('ENGRAM_INVALID_ARGUMENT'));
  }
  assert.throws(() => memory.call('status', () => {}), code('ENGRAM_INVALID_ARGUMENT'));
  await assert.rejects(memory.callAsync('status', 1n), code('ENGRAM_INVALID_ARGUMENT'));
  assert.equal(memory.status().sessions, 0);
  await memory.close();
});

test('closing twice, at once, and with calls under way', async () => {
  const memory = Engram.open(place());
  const calls = Promise.allSettled(Array.from({ length: 50 }, () => memory.retrieve({ question: 'x' })));
  await Promise.all([memory.close(), memory.close()]);
  await memory.close();
  assert.ok(memory.closed);
  for (const { status, reason } of await calls) {
    assert.ok(status === 'fulfilled' || reason.code === 'ENGRAM_CLOSED');
  }
  assert.throws(() => memory.status(), code('ENGRAM_CLOSED'));
  await assert.rejects(memory.probe(), code('ENGRAM_CLOSED'));
});

test('a panic is an error and closes that handle alone', async () => {
  const [memory, other] = [Engram.open(place()), Engram.open(place())];
  assert.throws(() => memory.call('panicForTests'), { code: 'ENGRAM_PANIC', message: /wire\/mod\.rs.*asked to panic/ });
  assert.throws(() => memory.status(), code('ENGRAM_CLOSED'));
  await assert.rejects(other.callAsync('panicForTests'), code('ENGRAM_PANIC'));
});

const model = (complete) => place({ languageModel: { name: 'mine', complete }, config: { probeTimeoutMs: 300 } });

test('models: what they may do, and what is a failure', async () => {
  for (const complete of [() => 'ready', async () => ({ text: 'ready' })]) {
    const memory = Engram.open(model(complete));
    assert.equal((await memory.probe()).languageModel.name, 'mine');
    await memory.close();
  }
  const failing = [
    [() => { throw new Error('no credit'); }, 'ENGRAM_MODEL'],
    [async () => { throw null; }, 'ENGRAM_MODEL'],
    [() => new Promise(() => {}), 'ENGRAM_MODEL'],
    [() => undefined, 'ENGRAM_MODEL_REPLY'],
    [() => 5, 'ENGRAM_MODEL_REPLY'],
    [() => ({ text: 1n }), 'ENGRAM_MODEL'],
    [undefined, 'ENGRAM_MODEL'],
  ];
  for (const [complete, expected] of failing) {
    const memory = Engram.open(model(complete));
    await assert.rejects(memory.probe(), code(expected));
    await memory.close();
  }
});

test('a model may use the memory', async () => {
  let memory;
  memory = Engram.open(
    model(async () => {
      memory.onUserPrompt({ session: 'inside', text: 'hello' });
      return String((await memory.retrieve({ question: 'x' })).items.length);
    }),
  );
  await memory.probe();
  assert.equal(memory.status().sessions, 1);
  await memory.close();
});

test('forty consolidations that ask at once end', async () => {
  const memory = Engram.open(model(async () => 'ready'));
  const probes = await Promise.all(Array.from({ length: 40 }, () => memory.probe()));
  assert.equal(probes.length, 40);
  await memory.close();
});

test('vectors may be typed arrays', async () => {
  const embedder = { model: 'e', dimensions: 3, embed: (texts) => texts.map(() => new Float32Array([1, 2, 3])) };
  const memory = Engram.open(place({ embedder }));
  await memory.probe();
  assert.ok((await memory.remember({ text: 'Use tabs instead of spaces' })).isNew);
  await memory.close();
});

test('the worker learns, and flush waits for it', async () => {
  const memory = Engram.open(place({ background: 'worker' }));
  memory.onStop({ session: 's', text: 'We decided to use tabs instead of spaces because diffs stay small.' });
  assert.ok(await memory.flush(30_000));
  assert.equal(memory.status().pending, 0);
  assert.match((await memory.retrieve({ question: 'tabs or spaces?' })).text, /tabs/);
  await memory.close();
});

function sound(data) {
  const check = 'import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute("PRAGMA integrity_check").fetchone()[0])';
  return execFileSync('python3', ['-c', check, join(data, 'engram.db')], { encoding: 'utf8' }).trim();
}

function logged(data, session) {
  return readFileSync(join(data, 'events', `${session}.jsonl`), 'utf8').split('\n').filter(Boolean).length;
}

test('eight chains of twenty thousand calls on one handle', async () => {
  const memory = Engram.open(place({ config: { durability: 'process' } }));
  await memory.remember({ text: 'Use tabs instead of spaces' });
  const sessions = Array.from({ length: 8 }, (_, i) => `s${i}`);
  const counts = await Promise.all(sessions.map((session) => mixed(memory, session, 20_000)));
  const { data } = memory.status();
  await memory.close();
  assert.equal(sound(data), 'ok');
  sessions.forEach((session, i) => assert.equal(logged(data, session), counts[i]));
});

const worker = (workerData) => new Worker(new URL('./worker.mjs', import.meta.url), { workerData });
const said = (thread) =>
  new Promise((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
  });
const ended = (thread) => new Promise((resolve) => thread.once('exit', resolve));

test('eight worker threads of twenty thousand calls on one project', async () => {
  const options = place({ config: { durability: 'process' } });
  const first = Engram.open(options);
  await first.remember({ text: 'Use tabs instead of spaces' });
  const { data } = first.status();
  await first.close();
  const threads = Array.from({ length: 8 }, (_, i) => worker({ options, session: `w${i}`, calls: 20_000 }));
  const ends = threads.map(ended);
  const counts = await Promise.all(threads.map(said));
  assert.deepEqual(await Promise.all(ends), Array(8).fill(0));
  assert.equal(sound(data), 'ok');
  counts.forEach((count, i) => assert.equal(logged(data, `w${i}`), count));
});

test('a hundred worker threads that are ended while they are busy', async () => {
  const options = place({ background: 'worker', config: { durability: 'process' } });
  for (let i = 0; i < 100; i++) {
    const thread = worker({ options, session: `t${i}`, hang: i % 2 === 0, calls: 5 });
    const end = ended(thread);
    await said(thread);
    await thread.terminate();
    await end;
  }
});

const ends = {
  'an open memory': 'm.onUserPrompt({ session: "s", text: "x" });',
  'exit with work pending':
    'm.onStop({ session: "s", text: "We decided to use tabs." }); m.consolidate(); m.retrieve({ question: "x" }); process.exit(0);',
  'a model that hangs': 'm.onUserPrompt({ session: "s", text: "x" }); m.onStop({ session: "s", text: "Use tabs." });',
  'a promise that is waited for': 'await m.flush(1000); process.stdout.write("");',
};
for (const [name, body] of Object.entries(ends)) {
  test(`a process ends: ${name}`, async () => {
    const options = JSON.stringify(place({ background: 'worker' }));
    const text = `import { Engram } from 'engram';
      const m = Engram.open({ ...${options}, languageModel: { name: 'm', complete: () => new Promise(() => {}) } });
      ${body}`;
    const here = new URL('.', import.meta.url).pathname;
    const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '-e', text], { cwd: here, timeout: 20_000 });
    assert.deepEqual([stdout, stderr], ['', '']);
  });
}

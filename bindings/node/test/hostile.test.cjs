'use strict';
// What a program may do wrong or at the wrong moment: models that throw anything, calls within calls, memories that nobody
// holds, environments that end while JavaScript is waited for.

const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { test } = require('node:test');
const { promisify } = require('node:util');
const { Worker } = require('node:worker_threads');
const { Engram, EngramError, verbs } = require('engram');

const HOT = ['onSessionStart', 'onUserPrompt', 'onToolCall', 'onDecision', 'onStop', 'onCompaction', 'onSessionEnd', 'status', 'events', 'node'];
// A process that is not done by then hangs; none here takes a tenth of it.
const WATCHDOG = 60_000;

// A fresh home and project, which go when the test is over.
function place(t) {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'engram-node-')));
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
  fs.mkdirSync(path.join(folder, 'project'));
  return { home: path.join(folder, 'home'), project: path.join(folder, 'project'), background: 'caller' };
}

function opened(t, options = {}) {
  const memory = Engram.open({ ...place(t), ...options });
  t.after(() => memory.close());
  return memory;
}

const model = (complete) => ({ languageModel: { name: 'mine', complete } });

// A turn that a consolidation has something to say about; also the text of a function for other environments.
function work(memory, session) {
  memory.onUserPrompt({ session, text: 'Make totals exact' });
  memory.onStop({ session, text: 'Done. We decided to use integer cents instead of floats because floats drift.' });
}

for (const [name, thrown] of [
  ['nothing', undefined],
  ['an object without a text', Object.create(null)],
  ['an error whose message throws', { get message() { throw new Error('again'); } }],
  ['a message that is no text', { message: Object.create(null) }],
]) {
  test(`a model that throws ${name} is a failure of the model`, async (t) => {
    const memory = opened(t, model(() => { throw thrown; }));
    await assert.rejects(memory.probe(), { code: 'ENGRAM_MODEL', message: /mine/ });
  });
}

test('typed arrays are taken in either form of an answer', async (t) => {
  const embed = (texts) => ({ vectors: texts.map(() => Float32Array.of(1, 0.5)) });
  const memory = opened(t, { embedder: { model: 'mine', dimensions: 2, embed } });
  assert.equal((await memory.probe()).embedder.name, 'mine');
});

test('more questions at once than threads, each of which calls again, are answered', async (t) => {
  const memory = opened(t, model(async () => (await memory.retrieve({ question: 'x?' }), 'ready')));
  const answers = await Promise.all(Array.from({ length: 100 }, () => memory.probe()));
  assert.equal(answers.length, 100);
});

test('the thread of JavaScript is free while a consolidation waits for it', async (t) => {
  const [asked, held] = [withResolvers(), withResolvers()];
  const memory = opened(t, model(async () => (asked.resolve(), await held.promise, 'rubbish')));
  work(memory, 's');
  const consolidated = memory.consolidate();
  await asked.promise;
  work(memory, 'another');
  assert.equal(memory.status().sessions, 2);
  assert.equal(memory.events({ session: 's' }).events.length, 2);
  held.resolve();
  assert.notDeepEqual((await consolidated).pending, [], 'rubbish leaves the work pending');
});

// Promise.withResolvers came with Node 22.
function withResolvers() {
  const all = {};
  all.promise = new Promise((resolve, reject) => Object.assign(all, { resolve, reject }));
  return all;
}

test('closing does not wait for a model that hangs', async (t) => {
  const asked = withResolvers();
  const memory = opened(t, model(() => (asked.resolve(), new Promise(() => {}))));
  const probe = assert.rejects(memory.probe(), { code: 'ENGRAM_MODEL', message: /closed/ });
  await asked.promise;
  await memory.close();
  await probe;
});

for (const [name, value] of [['a list', []], ['a text', 'x'], ['null', null], ['nothing', undefined]]) {
  test(`${name} where an object is asked for is an invalid argument`, async (t) => {
    const memory = opened(t);
    for (const verb of ['onUserPrompt', 'onToolCall', 'events', 'retrieve', 'remember', 'search']) {
      const doing = async () => memory[verb](value);
      await assert.rejects(doing, (error) => error instanceof EngramError && error.kind === 'InvalidArgument', verb);
    }
    assert.equal(memory.status().sessions, 0);
  });
}

const folder = path.dirname(require.resolve('engram'));

test('the types say of each verb whether it returns a promise', async (t) => {
  const types = fs.readFileSync(path.join(folder, 'index.d.ts'), 'utf8');
  const declared = /export class Engram \{([^]*?)\n\}/.exec(types)[1];
  const memory = opened(t);
  for (const verb of verbs) {
    const returns = new RegExp(`^  ${verb}\\([^]*?\\): (\\w+)`, 'm').exec(declared)[1];
    assert.equal(returns === 'Promise', !HOT.includes(verb), verb);
    const [answer] = called(() => memory[verb]({ session: 1n }));
    assert.equal(answer instanceof Promise, returns === 'Promise', verb);
    await Promise.allSettled([answer]);
  }
});

// What a function returns, or nothing if it throws, in a list.
function called(doing) {
  try {
    return [doing()];
  } catch {
    return [];
  }
}

test('nothing is done at install time, and nothing else is needed', () => {
  const manifest = require('engram/package.json');
  assert.equal(manifest.scripts, undefined);
  assert.equal(manifest.dependencies, undefined);
  for (const version of Object.values(manifest.optionalDependencies)) assert.equal(version, manifest.version);
});

// Runs a script in a Node of its own: how it ended and what it said.
async function child(options, code, flags = []) {
  const text = `const { Engram } = require('engram'); const options = ${JSON.stringify(options)};
    const hangs = { languageModel: { name: 'mine', complete: () => new Promise(() => {}) } };
    ${work} ${code}`;
  const limits = { cwd: __dirname, timeout: WATCHDOG, killSignal: 'SIGKILL' };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, '-e', text], limits);
    return { status: 0, stdout };
  } catch ({ code, signal, stdout }) {
    return { status: code ?? signal, stdout };
  }
}

for (const [name, code, status] of [
  ['exits while a consolidation waits for a model', `const m = Engram.open({ ...options, ...hangs });
    work(m, 's'); m.consolidate(); setTimeout(() => process.exit(5), 200);`, 5],
  ['exits while the background waits for a model', `const m = Engram.open({ ...options, ...hangs, background: 'worker' });
    work(m, 's'); setTimeout(() => process.exit(5), 200);`, 5],
  ['dies of an exception', `work(Engram.open({ ...options, background: 'worker' }), 's'); throw new Error('x');`, 1],
]) {
  test(`a process that ${name} ends`, async (t) => {
    assert.deepEqual(await child(place(t), code), { status, stdout: '' });
  });
}

test('a memory that is waited for is not collected', async (t) => {
  const code = `setTimeout(gc, 100); setTimeout(gc, 200);
    (() => Engram.open({ ...options, ...hangs, config: { probeTimeoutMs: 500 } }))()
      .probe().catch((error) => console.log(error.code));`;
  assert.deepEqual(await child(place(t), code, ['--expose-gc']), { status: 0, stdout: 'ENGRAM_MODEL\n' });
});

// The threads of this process that are engram's; Linux alone tells.
function threads() {
  const name = (id) => {
    try {
      return fs.readFileSync(`/proc/self/task/${id}/comm`, 'utf8');
    } catch {
      return '';
    }
  };
  return fs.readdirSync('/proc/self/task').map(name).filter((comm) => comm.startsWith('engram'));
}

async function threadsLeft() {
  // One that has done its last work is listed for a moment longer.
  for (let i = 0; i < 200 && threads().length > 0; i++) await new Promise((resolve) => setTimeout(resolve, 50));
  return threads();
}

function worker(options, code) {
  const text = `const { parentPort, workerData: options } = require('node:worker_threads');
    const { Engram } = require(${JSON.stringify(require.resolve('engram'))});
    const asked = () => (parentPort.postMessage('asked'), new Promise(() => {}));
    ${work} ${code}`;
  return new Worker(text, { eval: true, workerData: options });
}

const event = (thread, name) =>
  new Promise((resolve, reject) => thread.once(name, resolve).once('error', reject));

test('no thread outlives a worker that is ended in the middle of a consolidation', async (t) => {
  const options = place(t);
  for (let i = 0; i < 50; i++) {
    // Sessions of their own, since one that failed three times is done without the model.
    const thread = worker(options, `const m = Engram.open({ ...options, languageModel: { name: 'mine', complete: asked } });
      work(m, 's${i}'); m.consolidate();`);
    await event(thread, 'message');
    if (i === 0) assert.notDeepEqual(threads(), [], 'they are seen at all');
    await thread.terminate();
  }
  assert.deepEqual(await threadsLeft(), []);
});

for (const [name, code, status] of [
  ['has nothing more to do', `work(Engram.open({ ...options, background: 'worker' }), 's');`, 0],
  ['exits with calls under way', `const m = Engram.open(options);
    for (let i = 0; i < 100; i++) m.retrieve({ question: 'x?' }); process.exit(3);`, 3],
]) {
  test(`a worker that ${name} ends, and its threads with it`, async (t) => {
    assert.equal(await event(worker(place(t), code), 'exit'), status);
    assert.deepEqual(await threadsLeft(), []);
  });
}

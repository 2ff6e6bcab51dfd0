// The shared vectors (tests/vectors/README.md).

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { Engram, EngramError, kinds } from 'engram';
import { repository } from './place.mjs';

const folder = join(repository, 'tests/vectors');
const cases = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => JSON.parse(readFileSync(join(folder, name))).cases.map((one) => ({ ...one, name: `${name}: ${one.name}` })));

test('there are cases', () => assert.ok(cases.length >= 80));

const only = (object, ...known) => {
  for (const key of Object.keys(object)) assert.ok(known.includes(key), `"${key}" means nothing here`);
};

class Runner {
  constructor(one) {
    only(one, 'name', 'files', 'open', 'hosts', 'openFails', 'kinds', 'steps');
    this.case = one;
    this.root = realpathSync(mkdtempSync(join(tmpdir(), 'engram-vector-')));
    mkdirSync(join(this.root, 'home'));
    mkdirSync(join(this.root, 'project'));
    for (const [path, text] of Object.entries(one.files ?? {})) this.put(join(this.root, path), text);
  }

  put(path, text) {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(text === undefined ? path : dirname(path), { recursive: true });
    if (text !== undefined) writeFileSync(path, text);
  }

  filled(value) {
    if (typeof value === 'string') {
      return value.replaceAll('${PROJECT}', join(this.root, 'project')).replaceAll('${HOME}', join(this.root, 'home'));
    }
    if (Array.isArray(value)) return value.map((one) => this.filled(one));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.filled(one)]));
  }

  open() {
    const options = {
      project: join(this.root, 'project'),
      home: join(this.root, 'home'),
      background: 'caller',
      ...this.filled(this.case.open ?? {}),
    };
    for (const [name, script] of Object.entries(this.case.hosts ?? {})) {
      const play = this.played(script);
      options[name] = { ...options[name], complete: play, embed: play };
    }
    return Engram.open(options);
  }

  played(script) {
    only(script, 'reply', 'replies', 'throws', 'hangs', 'calls');
    let turn = 0;
    return async () => {
      if ('throws' in script) throw new Error(script.throws);
      if ('hangs' in script) await new Promise((resolve) => setTimeout(resolve, 1000));
      if ('calls' in script) {
        await this.take(script.calls);
        return { text: 'ready' };
      }
      const replies = script.replies ?? [script.reply];
      return replies[Math.min(turn++, replies.length - 1)];
    };
  }

  async run() {
    if (this.case.kinds) {
      assert.deepEqual({ ...kinds }, this.case.kinds);
      return;
    }
    if (this.case.openFails) {
      await fails(this.case.openFails, async () => this.open());
      return;
    }
    this.memory = this.open();
    for (const step of this.case.steps) await this.take(step);
    await this.memory.close();
  }

  located(path) {
    return path.startsWith('data/') ? join(this.memory.status().data, path.slice(5)) : join(this.root, path);
  }

  async take(step) {
    only(step, 'call', 'with', 'gives', 'fails', 'write', 'text', 'folder', 'close');
    if (step.close) return this.memory.close();
    if (step.write ?? step.folder) return this.put(this.located(step.write ?? step.folder), step.text);
    const args = this.filled(step.with);
    // In this thread and on another: both doors give the same.
    const call = async () => (slow.has(step.call) ? this.memory.callAsync(step.call, args) : this.memory.call(step.call, args));
    if (step.fails) return fails(step.fails, call);
    const answer = await call();
    if ('gives' in step) matches(this.filled(step.gives), answer, step.call);
  }
}

const slow = new Set(['retrieve', 'search', 'checkContradiction', 'consolidate', 'flush', 'remember', 'forget', 'importNotes', 'importSession', 'graph', 'probe']);

async function fails(fail, call) {
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof EngramError, String(error));
    assert.equal(error.kind, fail.kind, error.message);
    assert.ok(error.message.includes(fail.says ?? ''), error.message);
    return true;
  });
}

function matches(pattern, value, at) {
  if (Array.isArray(pattern)) {
    assert.ok(Array.isArray(value) && value.length === pattern.length, `${at} is ${JSON.stringify(value)}`);
    pattern.forEach((inner, i) => matches(inner, value[i], `${at}[${i}]`));
  } else if (pattern !== null && typeof pattern === 'object') {
    const [key] = Object.keys(pattern);
    if (key?.startsWith('$')) {
      special(key, pattern[key], value, at);
      return;
    }
    assert.ok(value !== null && typeof value === 'object', `${at} is ${JSON.stringify(value)}`);
    for (const [name, inner] of Object.entries(pattern)) matches(inner, value[name], `${at}.${name}`);
  } else {
    assert.strictEqual(value, pattern, at);
  }
}

const fits = (pattern, value) => {
  try {
    matches(pattern, value, '');
    return true;
  } catch {
    return false;
  }
};

const typeName = (value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

function special(key, rule, value, at) {
  const rules = {
    $any: () => value !== undefined,
    $absent: () => value === undefined,
    $contains: () => (Array.isArray(value) ? value.some((one) => fits(rule, one)) : value.includes(rule)),
    $length: () => value.length === rule,
    $type: () => typeName(value) === rule,
  };
  assert.ok(key in rules, `${key} is no pattern`);
  assert.ok(rules[key](), `${at} is ${JSON.stringify(value)}, which ${key} ${JSON.stringify(rule)} does not fit`);
}

for (const one of cases) {
  test(one.name, async () => {
    const runner = new Runner(one);
    try {
      await runner.run();
    } finally {
      rmSync(runner.root, { recursive: true, force: true });
    }
  });
}

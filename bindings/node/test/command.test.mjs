// The command `engram` of the package, as npx starts it.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { version } from 'engram';
import { place } from './place.mjs';

const command = join(process.cwd(), 'node_modules', '.bin', 'engram');
const native = join(process.cwd(), 'node_modules', 'engram-linux-x64-gnu', 'bin', 'engram-hook');

test('it is the native program: output and exit code come through', () => {
  const asked = spawnSync(command, ['--version'], { encoding: 'utf8' });
  assert.deepEqual([asked.status, asked.stdout.trim()], [0, `engram ${version}`]);
  const wrong = spawnSync(command, ['no-such-command'], { encoding: 'utf8' });
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /^error: /);
});

test('stdin comes through', () => {
  const { project, home } = place();
  const env = { ...process.env, ENGRAM_HOME: home, ENGRAM_NO_BACKGROUND: '1' };
  const payload = JSON.stringify({ event: 'prompt', session: 's', cwd: project, text: 'hello' });
  const hook = spawnSync(command, ['hook', 'generic'], { input: payload, encoding: 'utf8', env });
  assert.deepEqual([hook.status, hook.stdout, hook.stderr], [0, '', '']);
  const events = spawnSync(command, ['events', '--json', '--project', project], { encoding: 'utf8', env });
  assert.equal(JSON.parse(events.stdout)[0].text, 'hello');
});

test('install writes the path of the native hook', () => {
  const { project, home } = place();
  const env = { ...process.env, HOME: home, ENGRAM_HOME: join(home, '.engram') };
  const dry = spawnSync(command, ['install', '--harness', 'claude-code', '--dry-run'], { encoding: 'utf8', env, cwd: project });
  assert.equal(dry.status, 0, dry.stderr);
  assert.ok(existsSync(native) && dry.stdout.includes(native), dry.stdout);
});

test('a signal ends the program and is its exit code', async () => {
  const { home } = place();
  const child = spawn(command, ['hook', 'generic'], { stdio: ['pipe', 'ignore', 'ignore'], env: { ...process.env, ENGRAM_HOME: home } });
  await new Promise((resolve) => setTimeout(resolve, 300));
  child.kill('SIGTERM');
  const [code] = await new Promise((resolve) => child.on('exit', (...ended) => resolve(ended)));
  assert.equal(code, 143);
});

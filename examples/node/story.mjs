// engram in a Node agent: a test fails and is mended, a decision is made; the next session is told, and warned when it goes
// against the decision.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engram } from 'engram';

const place = mkdtempSync(join(tmpdir(), 'engram-story-'));
const project = join(place, 'shop');
mkdirSync(project);
const memory = Engram.open({ project, home: join(place, 'home') });

const seen = (event) =>
  event.type === 'file_write'
    ? `file_write ${event.path}`
    : `${event.type} passed=${event.passed} failed=${event.failed}`;

console.log('== monday: a test fails, the agent mends it');
const monday = { session: 'monday' };
memory.onSessionStart({ ...monday, source: 'startup', ts: '2026-11-30T09:00:00Z' });
const wish = 'The order total is off by a cent. Find out why and fix it.';
memory.onUserPrompt({ ...monday, text: wish, ts: '2026-11-30T09:00:05Z' });
const failing =
  'FAILED test_cart.py::test_total - AssertionError: 0.30000000000000004 != 0.3\n1 failed, 2 passed in 0.04s';
const test = { command: 'pytest -q' };
const fix = { file_path: 'cart.py', old_string: 'total = 0.0', new_string: 'total_cents = 0' };
for (const call of [
  { tool: 'bash', input: test, output: failing, exitCode: 1, ts: '2026-11-30T09:00:30Z' },
  { tool: 'edit', input: fix, output: 'ok', exitCode: 0, ts: '2026-11-30T09:01:00Z' },
  { tool: 'bash', input: test, output: '3 passed in 0.03s', exitCode: 0, ts: '2026-11-30T09:01:30Z' },
]) {
  console.log('captured', seen(memory.onToolCall({ ...monday, ...call }).event));
}
const text =
  'Fixed: adding floats drifted. ' +
  'We decided to keep money in integer cents instead of floats because floats drift.';
memory.onStop({ ...monday, text, ts: '2026-11-30T09:02:00Z' });
await memory.flush(10_000);

console.log('\n== tuesday: the next session is told');
const tuesday = { session: 'tuesday' };
console.log(memory.onSessionStart({ ...tuesday, source: 'startup', ts: '2026-12-01T09:00:00Z' }).context);

console.log('\n== tuesday: an edit goes against the decision');
const slip = { file_path: 'cart.py', old_string: 'total_cents = 0', new_string: 'total = float(0)' };
const edit = { tool: 'edit', input: slip, output: 'ok', exitCode: 0, ts: '2026-12-01T09:01:00Z' };
console.log(memory.onToolCall({ ...tuesday, ...edit }).context);

await memory.close();
rmSync(place, { recursive: true });

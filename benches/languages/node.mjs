// How long `onToolCall` takes from Node, with about 2 KB of payload: node.mjs HOME PROJECT ROUNDS. One JSON line a round.
// ENGRAM_DURABILITY is the setting `durability` ("process" if not given: a disk's fdatasync would drown the difference).

import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { Engram } = require(process.env.ENGRAM_PACKAGE ?? '../../bindings/node');

const CALLS = 2_000;
const [home, project, rounds] = process.argv.slice(2);
const config = { durability: process.env.ENGRAM_DURABILITY ?? 'process' };
const memory = Engram.open({ home, project, config, background: 'caller' });
const output = 'compiled another module without a warning\n'.repeat(46);

for (let round = 0; round < Number(rounds); round++) {
  const begun = process.hrtime.bigint();
  for (let i = 0; i < CALLS; i++) {
    memory.onToolCall({ session: `round-${round}`, tool: 'bash', input: { command: `make part-${i}` }, output, exitCode: 0 });
  }
  const nanos = Number((process.hrtime.bigint() - begun) / BigInt(CALLS));
  process.stdout.write(`${JSON.stringify({ language: 'node', verb: 'onToolCall', nanos })}\n`);
}
await memory.close();

// The example's agent over a memory that fails: node broken.mjs closed|throws|slow PROJECT PROMPT

import { Engram } from 'engram';
import { work } from './agent.mjs';

const [how, project, prompt] = process.argv.slice(2);

// Every verb throws, or takes long.
function broken() {
  const answer = () => {
    if (how === 'throws') throw new Error('out of order');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    return { context: '', trouble: ['it took long'] };
  };
  return new Proxy({}, { get: (_, verb) => (verb === 'flush' ? async () => answer() : answer) });
}

async function closed() {
  const memory = Engram.open({ project });
  await memory.close();
  return memory;
}

await work(how === 'closed' ? await closed() : broken(), project, prompt);

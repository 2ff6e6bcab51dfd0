// What the tests share. They run against the installed packages (tests/languages/node.sh), never the source tree.

import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const repository = process.env.ENGRAM_REPOSITORY;

/** Options of a fresh home and project. */
export function place(options = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'engram-node-')));
  mkdirSync(join(root, 'project'));
  return { project: join(root, 'project'), home: join(root, 'home'), background: 'caller', ...options };
}

/** Mixed calls; gives how many events they logged. */
export async function mixed(memory, session, calls) {
  let logged = 0;
  for (let i = 0; i < calls; i++) {
    const kind = i % 200;
    if (kind === 0) await memory.retrieve({ question: 'what about tabs?', limit: 3 });
    else if (kind === 1) memory.status();
    else if (kind === 2) await memory.checkContradiction({ path: 'cart.py', diff: '+x = 1\n' });
    else if (kind === 3) memory.node({ id: 'n_none' });
    else if (kind % 20 === 5) memory.onUserPrompt({ session, text: `prompt ${i}` });
    else memory.onToolCall({ session, tool: 'bash', input: { command: `echo ${i}` }, output: 'ok' });
    if (kind > 3) logged++;
  }
  return logged;
}

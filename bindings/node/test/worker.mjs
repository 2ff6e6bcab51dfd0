// A worker thread of the tests: it works on a memory of its own until it is told to stop, or is ended.

import { parentPort, workerData } from 'node:worker_threads';
import { Engram } from 'engram';
import { mixed } from './place.mjs';

const { options, session, calls, hang } = workerData;
const never = { name: 'never', complete: () => new Promise(() => {}) };
const memory = Engram.open(hang ? { ...options, languageModel: never } : options);

if (hang) {
  memory.onUserPrompt({ session, text: 'x' });
  memory.onStop({ session, text: 'We decided to use tabs instead of spaces.' });
  memory.consolidate().catch(() => {});
  parentPort.postMessage('busy');
  setInterval(() => memory.onUserPrompt({ session, text: 'more' }), 1);
} else {
  parentPort.postMessage(await mixed(memory, session, calls));
  await memory.close();
}

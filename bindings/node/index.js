'use strict';

const native = require('./native.js').addon();

// What a message of the addon's is about (src/lib.rs).
const DONE = 0;
const COMPLETE = 1;
const HOUR = 3_600_000;

const snake = (name) => name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
const kinds = native.kinds();
const names = new Map(Object.entries(kinds).map(([name, number]) => [number, name]));

class EngramError extends Error {
  constructor(kind, message, options) {
    super(message, options);
    this.name = 'EngramError';
    this.kind = kind;
    this.code = `ENGRAM_${snake(kind)}`;
  }
}

const failure = (status, text) => new EngramError(names.get(status) ?? 'Panic', text);

// The addon throws "NUMBER:SENTENCE".
function translated(error) {
  const parts = /^(\d+):([^]*)$/.exec(error.message);
  return parts ? failure(Number(parts[1]), parts[2]) : error;
}

function encoded(value) {
  let text;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new EngramError('InvalidArgument', `the arguments have no JSON form: ${words(cause)}`, { cause });
  }
  // The core takes a list for an object with its fields in order, which nobody means.
  if (text?.[0] === '{') return text;
  throw new EngramError('InvalidArgument', 'the arguments are no object that has a JSON form');
}

// What was thrown, in words. It may be anything, also something that has none.
function words(thrown) {
  try {
    return String(thrown?.message ?? thrown);
  } catch {
    return 'what it threw has no text';
  }
}

class Engram {
  #handle;
  #models;
  #calls = new Map();
  #last = 0;
  #alive;
  #closing;

  constructor(handle, models) {
    this.#handle = handle;
    this.#models = models;
  }

  static open(options) {
    if (options === null || typeof options !== 'object') {
      throw new EngramError('InvalidArgument', 'the options are no object; give at least { project }');
    }
    const { languageModel, embedder, ...rest } = options;
    if (languageModel) rest.languageModel = { name: languageModel.name };
    if (embedder) rest.embedder = { model: embedder.model, dimensions: embedder.dimensions };
    // The handle's messages come to whoever is still there: a memory that nobody holds is collected.
    let reference;
    const listener = (what, id, status, text) => reference?.deref()?.#hear(what, id, status, text);
    let handle;
    try {
      handle = native.Handle.open(encoded(rest), listener, Boolean(languageModel), Boolean(embedder));
    } catch (error) {
      throw translated(error);
    }
    const memory = new Engram(handle, { languageModel, embedder });
    reference = new WeakRef(memory);
    return memory;
  }

  get closed() {
    return this.#handle.closed;
  }

  call(verb, args = {}) {
    return this.#now(verb, args);
  }

  callAsync(verb, args = {}) {
    return this.#later(verb, args);
  }

  #now(verb, args) {
    const text = encoded(args);
    try {
      return JSON.parse(this.#handle.call(verb, text));
    } catch (error) {
      throw translated(error);
    }
  }

  async #later(verb, args) {
    const text = encoded(args);
    return JSON.parse(await this.#begin((id) => this.#handle.start(id, verb, text)));
  }

  #begin(start) {
    return new Promise((resolve, reject) => {
      const id = (this.#last = (this.#last + 1) % 0x1_0000_0000);
      this.#calls.set(id, { resolve, reject });
      // The handle alone keeps no process alive; a call that is waited for does, and its memory with it.
      this.#alive ??= setInterval((memory) => memory, HOUR, this);
      start(id);
    });
  }

  #hear(what, id, status, text) {
    if (what !== DONE) {
      this.#answer(what, id, text);
      return;
    }
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (this.#calls.size === 0) {
      clearInterval(this.#alive);
      this.#alive = undefined;
    }
    if (status === 0) call?.resolve(text);
    else call?.reject(failure(status, text));
  }

  async #answer(what, id, request) {
    try {
      const asked = JSON.parse(request);
      const { languageModel, embedder } = this.#models;
      const reply =
        what === COMPLETE ? await languageModel.complete(asked) : await embedder.embed(asked.texts);
      this.#handle.answer(id, false, encodedReply(reply));
    } catch (error) {
      this.#handle.answer(id, true, words(error));
    }
  }

  hook(harness, payload) {
    const text = encoded(payload);
    try {
      return JSON.parse(this.#handle.hook(String(harness), text));
    } catch (error) {
      throw translated(error);
    }
  }

  async close() {
    this.#closing ??= this.#begin((id) => this.#handle.close(id));
    await this.#closing;
  }

  async [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() {
    await this.close();
  }

  onSessionStart(start) {
    return this.#now('onSessionStart', start);
  }

  onUserPrompt(prompt) {
    return this.#now('onUserPrompt', prompt);
  }

  onToolCall(call) {
    return this.#now('onToolCall', call);
  }

  onDecision(decided) {
    return this.#now('onDecision', decided);
  }

  onStop(stop) {
    return this.#now('onStop', stop);
  }

  onCompaction(compaction) {
    return this.#now('onCompaction', compaction);
  }

  onSessionEnd(end) {
    return this.#now('onSessionEnd', end);
  }

  status(args) {
    return this.call('status', args);
  }

  events(args) {
    return this.#now('events', args);
  }

  node(args) {
    return this.#now('node', args);
  }

  retrieve(args) {
    return this.#later('retrieve', args);
  }

  async search(args) {
    return (await this.#later('search', args)).items;
  }

  checkContradiction(change) {
    return this.#later('checkContradiction', change);
  }

  consolidate(options) {
    return this.callAsync('consolidate', options);
  }

  async flush(timeoutMs) {
    return (await this.callAsync('flush', { timeoutMs })).done;
  }

  remember(memory) {
    return this.#later('remember', memory);
  }

  forget(what) {
    return this.#later('forget', what);
  }

  importNotes(args) {
    return this.#later('importNotes', args);
  }

  importSession(args) {
    return this.#later('importSession', args);
  }

  graph() {
    return this.callAsync('graph');
  }

  probe() {
    return this.callAsync('probe');
  }
}

// A text is a model's reply, a list an embedder's; anything else has to be the form on the wire.
function encodedReply(reply) {
  if (typeof reply === 'string') return JSON.stringify({ text: reply });
  const vectors = Array.isArray(reply) ? reply : reply?.vectors;
  if (!Array.isArray(vectors)) return JSON.stringify(reply) ?? 'null';
  // The JSON form of a typed array is no list.
  return JSON.stringify({ vectors: vectors.map((vector) => (ArrayBuffer.isView(vector) ? Array.from(vector) : vector)) });
}

module.exports = { Engram, EngramError, kinds, version: native.version(), verbs: native.verbs() };

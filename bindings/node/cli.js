#!/usr/bin/env node
'use strict';
// The command `engram`: starts the native program of this platform's package and ends as it does.

const { spawn } = require('node:child_process');
const { constants } = require('node:os');
const { program } = require('./native.js');

let path;
try {
  path = program('engram');
} catch (error) {
  process.stderr.write(`error: ${error.message}\n`);
  process.exit(1);
}
const child = spawn(path, process.argv.slice(2), { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  process.stderr.write(`error: ${path} does not start: ${error.message}\n`);
  process.exit(1);
});
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));

'use strict';
// engram/codex: answers to the hooks of Codex, for a program that receives them.

const { answering } = require('./session.js');

exports.handle = (memory, payload, options) => answering('codex', memory, options)(payload);

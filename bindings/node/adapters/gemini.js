'use strict';
// engram/gemini: answers to the hooks of Gemini CLI, for a program that receives them.

const { answering } = require('./session.js');

exports.handle = (memory, payload, options) => answering('gemini', memory, options)(payload);

'use strict';
// engram/generic: any agent that runs in Node.

const { randomUUID } = require('node:crypto');
const { Session, opened } = require('./session.js');

exports.attach = (given, { session = randomUUID(), ...options } = {}) => new Session(opened(given), { session, ...options });

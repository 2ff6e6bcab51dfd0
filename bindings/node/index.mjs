import engram from './index.js';

export const { Engram, EngramError, kinds, version, verbs } = engram;
export default engram;

'use strict';
// Finds the addon: the package of this platform, or the file that a build in the repository leaves beside this one.

const { existsSync } = require('node:fs');
const { join } = require('node:path');

const glibc = () => process.report.getReport().header.glibcVersionRuntime !== undefined;

function platform() {
  const { platform, arch } = process;
  return platform === 'linux' ? `${platform}-${arch}-${glibc() ? 'gnu' : 'musl'}` : `${platform}-${arch}`;
}

function load() {
  const beside = join(__dirname, 'engram.node');
  if (existsSync(beside)) return require(beside);
  const name = `engram-${platform()}`;
  try {
    return require(name);
  } catch (cause) {
    const why =
      cause.code === 'MODULE_NOT_FOUND'
        ? `the package ${name} is not installed. Install without --no-optional; if there is no such package, ` +
          `engram is not built for this platform`
        : `${name} does not load: ${cause.message}`;
    throw new Error(`engram: no native addon: ${why}`, { cause });
  }
}

module.exports = load();

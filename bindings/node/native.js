'use strict';
// Finds what is native: the package of this platform, or what a build in the repository leaves beside this file.

const { existsSync } = require('node:fs');
const { dirname, join } = require('node:path');

const glibc = () => process.report.getReport().header.glibcVersionRuntime !== undefined;

function platform() {
  const { platform, arch } = process;
  return platform === 'linux' ? `${platform}-${arch}-${glibc() ? 'gnu' : 'musl'}` : `${platform}-${arch}`;
}

const name = `engram-${platform()}`;
const missing = (what, cause) => {
  const why =
    cause.code === 'MODULE_NOT_FOUND'
      ? `the package ${name} is not installed. Install without --no-optional; if there is no such package, ` +
        `engram is not built for this platform`
      : `${name} does not load: ${cause.message}`;
  return new Error(`engram: no native ${what}: ${why}`, { cause });
};

/** The addon. */
function addon() {
  const beside = join(__dirname, 'engram.node');
  if (existsSync(beside)) return require(beside);
  try {
    return require(name);
  } catch (cause) {
    throw missing('addon', cause);
  }
}

/** The path of a native program: `engram` or `engram-hook`. */
function program(which) {
  try {
    return join(dirname(require.resolve(`${name}/package.json`)), 'bin', which);
  } catch (cause) {
    throw missing('program', cause);
  }
}

module.exports = { addon, program };

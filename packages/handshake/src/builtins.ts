/**
 * `import 'node:fs'` reads every export of it, the lazy ones among them: file streams and, through them, readline.
 * That is a tenth of the time in which a bridge starts, for nothing.
 */
export const {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} = process.getBuiltinModule('node:fs');

/** Takes another tenth: it is loaded where it is needed, which is not in a bridge. */
export const crypto = () => process.getBuiltinModule('node:crypto');

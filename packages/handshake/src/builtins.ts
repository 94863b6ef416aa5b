/**
 * `import 'node:fs'` reads every export of it, the lazy ones among them: file streams and, through them, readline;
 * with `node:crypto` all of Web Crypto. That is a quarter of the time in which a bridge starts, for nothing.
 */
export const { createHmac, randomBytes, timingSafeEqual } = process.getBuiltinModule('node:crypto');

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

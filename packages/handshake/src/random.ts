import { closeSync, crypto, openSync, readSync } from './builtins.ts';

/** Unforeseeable bytes, from the kernel where it has a file for them: `node:crypto` asks it too, once it is loaded. */
export function randomBytes(count: number): Buffer {
  return fromKernel(count) ?? crypto().randomBytes(count);
}

function fromKernel(count: number): Buffer | undefined {
  // There the path would name a folder that anybody may make.
  if (process.platform === 'win32') return undefined;
  try {
    const file = openSync('/dev/urandom', 'r');
    try {
      const bytes = Buffer.alloc(count);
      return readSync(file, bytes, 0, count, null) === count ? bytes : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

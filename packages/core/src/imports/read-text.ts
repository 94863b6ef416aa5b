import { createReadStream } from 'node:fs';
import { AppError } from '../errors.ts';

/** Reads the text of a file in chunks: UTF-8, or UTF-16 if a byte order mark says so. `onBytes` gets each chunk. */
export async function* readText(
  path: string,
  { signal, onBytes }: { signal: AbortSignal; onBytes?: (bytes: Uint8Array) => void },
): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  try {
    for await (const bytes of createReadStream(path, {
      signal,
      highWaterMark: 256 * 1024,
    }) as AsyncIterable<Buffer>) {
      onBytes?.(bytes);
      // The decoder also removes the byte order mark.
      decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
      const text = decoder.decode(bytes, { stream: true });
      if (text !== '') yield text;
    }
    const rest = decoder?.decode() ?? '';
    if (rest !== '') yield rest;
  } catch (error) {
    const encoding = decoder?.encoding ?? 'utf-8';
    throw await readFailure(error, { path, encoding });
  }
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

async function readFailure(
  error: unknown,
  { path, encoding }: { path: string; encoding: string },
): Promise<unknown> {
  if (!(error instanceof Error) || !('code' in error)) return error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
    return new AppError({
      code: 'invalid_argument',
      message: `${path} is not ${encoding.startsWith('utf-16') ? 'UTF-16' : 'UTF-8'} text: there is a wrong byte in line ${await wrongLine(path, encoding)}`,
      hint: 'Save the file as UTF-8 and import it again.',
    });
  }
  if (code === 'ENOENT') return new AppError({ code: 'not_found', message: `There is no file ${path}` });
  if (syscall !== undefined) {
    return new AppError({ code: 'invalid_argument', message: `${path} cannot be read: ${error.message}` });
  }
  return error;
}

/** The first line that is no text of this encoding. The whole file is read again, because chunks do not end at lines. */
async function wrongLine(path: string, encoding: string): Promise<number> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let line = 1;
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) {
    for (let from = 0; from < bytes.length; ) {
      // In UTF-16, the byte of a line end may be half of another character, so each character is read on its own.
      const end =
        encoding === 'utf-8' ? bytes.indexOf(10, from) + 1 || bytes.length : Math.min(from + 2, bytes.length);
      try {
        if (decoder.decode(bytes.subarray(from, end), { stream: true }).endsWith('\n')) line++;
      } catch {
        return line;
      }
      from = end;
    }
  }
  return line;
}

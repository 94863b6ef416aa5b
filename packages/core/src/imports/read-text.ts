import { createReadStream } from 'node:fs';
import { AppError } from '../errors.ts';

/** Reads the text of a file in chunks: UTF-8, or UTF-16 if a byte order mark says so. `onBytes` gets each chunk. */
export async function* readText(
  path: string,
  { signal, onBytes }: { signal: AbortSignal; onBytes?: (bytes: Uint8Array) => void },
): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let bytesRead = 0;
  try {
    for await (const bytes of createReadStream(path, {
      signal,
      highWaterMark: 256 * 1024,
    }) as AsyncIterable<Buffer>) {
      onBytes?.(bytes);
      // The decoder also removes the byte order mark.
      decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
      const text = decoder.decode(bytes, { stream: true });
      bytesRead += bytes.length;
      if (text !== '') yield text;
    }
    const rest = decoder?.decode() ?? '';
    if (rest !== '') yield rest;
  } catch (error) {
    throw readFailure(error, { path, bytesRead, encoding: decoder?.encoding ?? 'utf-8' });
  }
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

function readFailure(
  error: unknown,
  { path, bytesRead, encoding }: { path: string; bytesRead: number; encoding: string },
): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
    return new AppError({
      code: 'invalid_argument',
      message: `${path} is not ${encoding.startsWith('utf-16') ? 'UTF-16' : 'UTF-8'} text: there is a wrong byte within 256 KB of byte ${bytesRead}`,
      hint: 'Save the file as UTF-8 and import it again.',
    });
  }
  if (code === 'ENOENT') return new AppError({ code: 'not_found', message: `There is no file ${path}` });
  if (syscall !== undefined) {
    return new AppError({ code: 'invalid_argument', message: `${path} cannot be read: ${error.message}` });
  }
  return error;
}

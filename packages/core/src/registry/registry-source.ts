import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { AppError } from '../errors.ts';
import { cancelledError } from '../translate-error.ts';
import { trustMachine } from './trust-machine.ts';

interface ReadOptions {
  signal: AbortSignal;
  /** A larger file causes an error. */
  maxBytes: number;
  /** Skip this many bytes: an earlier attempt has them. */
  from?: number;
  /** How long the server may send nothing. Defaults to 30 seconds. */
  idleMs?: number;
}

interface SourceFile {
  /** If true, the chunks start at `from`. If false, they start at 0. */
  resumed: boolean;
  chunks: AsyncIterable<Uint8Array>;
}

/** Opens a file of the registry. If the file cannot be reached, throws `connection_failed`. */
export async function openRegistryFile(base: URL, name: string, options: ReadOptions): Promise<SourceFile> {
  const url = new URL(name, base);
  return url.protocol === 'file:' ? openLocal(url, options) : openRemote(url, options);
}

export async function readRegistryFile(base: URL, name: string, options: ReadOptions): Promise<Buffer> {
  const { chunks } = await openRegistryFile(base, name, options);
  return Buffer.concat(await Array.fromAsync(chunks));
}

async function openLocal(url: URL, { signal, maxBytes, from = 0 }: ReadOptions): Promise<SourceFile> {
  const failure = (error: unknown) =>
    unreachable(url, error instanceof Error ? error.message : String(error));
  const path = pathOf(url);
  if (path === null) throw unreachable(url, 'the address is not a path on this machine');
  const { size } = await stat(path).catch((error: unknown) => Promise.reject(failure(error)));
  if (size > maxBytes) throw tooLarge(url, maxBytes);
  return { resumed: true, chunks: chunksOf(path, { from, signal, failure }) };
}

/**
 * Opens the file only when the caller reads the first chunk. If it were opened earlier, an abort before the first read
 * would be an uncaught error.
 */
async function* chunksOf(
  path: string,
  { from, signal, failure }: { from: number; signal: AbortSignal; failure(error: unknown): AppError },
): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { start: from, signal }) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw signal.aborted ? cancelledError() : failure(error);
  }
}

async function openRemote(url: URL, options: ReadOptions): Promise<SourceFile> {
  const { maxBytes, from = 0, idleMs = 30_000 } = options;
  const request: RequestOptions = {
    headers: from > 0 ? { range: `bytes=${from}-` } : {},
    signal: options.signal,
    idle: new IdleLimit(idleMs),
  };
  const response = await answerOf(url, request);
  if (response.status !== 200 && response.status !== 206) {
    await response.body?.cancel();
    throw unreachable(url, `the server answered ${response.status}`);
  }
  const resumed = response.status === 206;
  const length = Number(response.headers.get('content-length') ?? 0);
  if (length > maxBytes) {
    await response.body?.cancel();
    throw tooLarge(url, maxBytes);
  }
  return { resumed, chunks: capped(url, response, { ...request, maxBytes, start: resumed ? from : 0 }) };
}

/** Follows redirects only within the origin (protocol, host, port) of the address: the user trusts only this origin. */
async function answerOf(url: URL, { headers, idle, signal }: RequestOptions): Promise<Response> {
  if (url.protocol === 'https:') trustMachine();
  let target = url;
  for (let hops = 0; hops < 4; hops++) {
    let response: Response;
    try {
      const either = AbortSignal.any([signal, idle.signal]);
      response = await idle.during(fetch(target, { redirect: 'manual', signal: either, headers }));
    } catch (error) {
      if (signal.aborted) throw cancelledError();
      throw unreachable(url, reasonOf(error));
    }
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) return response;
    await response.body?.cancel();
    const next = URL.parse(location, target);
    if (!next) throw unreachable(url, 'it redirects to an invalid address');
    target = next;
    if (target.origin !== url.origin) {
      // `file:` and `data:` have no origin.
      const origin = target.origin === 'null' ? target.protocol : target.origin;
      throw new AppError({
        code: 'refused',
        message: `The registry at ${url.host} sent a redirect to another address, ${origin}`,
        hint: 'Check the address of the registry in Settings → Plugins.',
      });
    }
  }
  throw unreachable(url, 'it redirects too often');
}

async function* capped(
  url: URL,
  response: Response,
  { maxBytes, signal, idle, start }: RequestOptions & { maxBytes: number; start: number },
): AsyncGenerator<Uint8Array> {
  let length = start;
  const reader = response.body?.getReader();
  try {
    while (reader) {
      const { done, value } = await idle.during(reader.read());
      if (signal.aborted) throw cancelledError();
      if (done) break;
      length += value.length;
      if (length > maxBytes) throw tooLarge(url, maxBytes);
      yield value;
    }
  } catch (error) {
    if (signal.aborted) throw cancelledError();
    if (error instanceof AppError) throw error;
    throw unreachable(url, reasonOf(error));
  } finally {
    // The caller may stop early, so the body is cancelled. For a body that failed, `cancel` rejects.
    await reader?.cancel().catch(() => {});
  }
}

interface RequestOptions {
  headers: Record<string, string>;
  signal: AbortSignal;
  idle: IdleLimit;
}

/**
 * Limits each single wait for the server. It does not limit the sum of the waits: a large file on a slow line may take
 * minutes. The signal given to `fetch` also ends the read of the body.
 */
class IdleLimit {
  readonly #controller = new AbortController();
  readonly #ms: number;

  constructor(ms: number) {
    this.#ms = ms;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  async during<T>(wait: Promise<T>): Promise<T> {
    const reason = new DOMException('The server sent nothing', 'TimeoutError');
    const timer = setTimeout(() => this.#controller.abort(reason), this.#ms);
    try {
      return await wait;
    } finally {
      clearTimeout(timer);
    }
  }
}

function unreachable(url: URL, reason: string): AppError {
  return new AppError({
    code: 'connection_failed',
    message: `The plugin registry at ${placeOf(url)} cannot be read: ${reason}`,
    hint: 'Check the address and the network and try again, or name another registry in Settings → Plugins.',
  });
}

function placeOf(url: URL): string {
  return url.protocol === 'file:' ? (pathOf(url) ?? url.href) : url.host;
}

/** Null if the URL is not a path on this machine, for example because it names another host. */
function pathOf(url: URL): string | null {
  try {
    return fileURLToPath(url);
  } catch {
    return null;
  }
}

function tooLarge(url: URL, maxBytes: number): AppError {
  return new AppError({
    code: 'refused',
    message: `${url.pathname.split('/').at(-1)} of the registry is larger than its limit of ${maxBytes} bytes`,
  });
}

/** fetch hides the reason ("connection refused") behind "fetch failed". */
function reasonOf(error: unknown): string {
  const { message, cause, name } = error as Error;
  if (name === 'TimeoutError') return 'it does not answer';
  return cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : message;
}

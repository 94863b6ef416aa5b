import { createHash } from 'node:crypto';
import { existsSync, rmSync, statSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import type { RegistryEntry } from '@trestle/driver-kit/registry';
import { isAppError } from '../errors.ts';
import { openRegistryFile } from '../registry/registry-source.ts';
import { verifyPackage } from '../registry/verify.ts';
import type { InstallStep } from '../types.ts';
import { refusal } from './install-step.ts';
import { integrityOf } from './integrity.ts';
import { downloadPrefix } from './plugin-folder.ts';
import { largestPackage } from './read-package.ts';

interface DownloadOptions {
  registry: URL;
  entry: RegistryEntry;
  /** The file of a partial download, which the next attempt continues. */
  partial: string;
  signal: AbortSignal;
  onProgress(received: number): void;
  begin(step: InstallStep): void;
}

/** Downloads the package of an entry. Checks the integrity and the publisher's signature against the index. */
export async function downloadPackage(options: DownloadOptions): Promise<Buffer> {
  const { entry, partial, begin } = options;
  const { name, version } = entry.manifest;
  // Without this limit, an index could state a huge size, and the download would fill the user's disk.
  if (entry.size > largestPackage)
    throw refusal('download', `${name} ${version} is larger than ${largestPackage / 1024 / 1024} MB`);
  try {
    await receive(options);
  } catch (error) {
    // The partial file is kept only if the registry could not be read, or after a cancel. On a full disk it would only
    // take space.
    const isCut = isAppError(error) && error.code === 'connection_failed';
    if (!isCut && !options.signal.aborted) rmSync(partial, { force: true });
    throw error;
  }
  const bytes = await readFile(partial);
  rmSync(partial, { force: true });
  if (bytes.length < entry.size) {
    throw refusal(
      'download',
      `the registry has only a part of ${name} ${version}: ${bytes.length} of ${entry.size} bytes`,
      { code: 'connection_failed', hint: 'Try again later. If it happens again, tell the registry’s owner.' },
    );
  }
  begin('integrity');
  if (integrityOf(bytes) !== entry.integrity) {
    throw refusal('integrity', 'the file is not the one that the registry lists', {
      hint: 'Try again. If it happens again, the registry is damaged or was tampered with.',
    });
  }
  begin('signature');
  if (!verifyPackage(entry)) {
    throw refusal('signature', `${entry.publisher.name} did not sign this version`, { code: 'refused' });
  }
  return bytes;
}

/**
 * The file name of a partial download. It is derived from the integrity of the complete file, so only a download of the
 * same bytes continues the file.
 */
export function partialName({ integrity }: RegistryEntry): string {
  return `${downloadPrefix}${createHash('sha256').update(integrity).digest('hex').slice(0, 32)}`;
}

async function receive({ registry, entry, partial, signal, onProgress }: DownloadOptions): Promise<void> {
  const have = existsSync(partial) ? statSync(partial).size : 0;
  if (have >= entry.size) return onProgress(entry.size);
  const source = await openRegistryFile(registry, entry.tarball, {
    signal,
    maxBytes: entry.size,
    from: have,
  });
  const file = await open(partial, source.resumed && have > 0 ? 'a' : 'w', 0o600);
  let received = source.resumed ? have : 0;
  try {
    onProgress(received);
    for await (const chunk of source.chunks) {
      signal.throwIfAborted();
      // Unlike `write`, `appendFile` writes the whole chunk.
      await file.appendFile(chunk);
      received += chunk.length;
      onProgress(received);
    }
  } finally {
    await file.close();
  }
}

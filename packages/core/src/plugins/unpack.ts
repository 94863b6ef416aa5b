import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { packagePathChecker } from '@trestle/driver-kit/package-paths';
import { Parser, type ReadEntry } from 'tar';
import { isAppError } from '../errors.ts';
import { cancelledError } from '../translate-error.ts';
import { diskProblem } from './disk-problem.ts';
import { refusal } from './install-step.ts';
import { placeOf, printableName } from './package-path.ts';

/**
 * Unpacks a package into an empty folder. The tar library only parses. This code writes the files itself, so a package
 * can create nothing but new regular files and folders inside the folder.
 */
export async function unpack(bytes: Buffer, directory: string, signal: AbortSignal): Promise<void> {
  const writer = new EntryWriter(directory);
  const parser = new Parser({ strict: true, onReadEntry: (entry) => writer.write(entry) });
  let ended = false;
  parser.on('ignoredEntry', (entry: ReadEntry) => {
    throw refusal('unpack', `"${printableName(entry.path)}" is neither a file nor a folder`);
  });
  parser.on('eof', () => {
    ended = true;
  });
  parser.on('error', (error: Error) => {
    throw error;
  });
  try {
    let head: Buffer | undefined = Buffer.alloc(0);
    let length = 0;
    for await (const chunk of gunzip(bytes)) {
      if (signal.aborted) throw cancelledError();
      length += chunk.length;
      if (length > largestContent) throw refusal('unpack', 'its files are larger than 200 MB');
      // The parser has seen the end of the archive. It would only collect further data.
      if (ended) continue;
      if (head === undefined) parser.write(chunk);
      else {
        head = Buffer.concat([head, chunk]);
        if (head.length < blockLength) continue;
        refuseSecondCompression(head);
        parser.write(head);
        head = undefined;
      }
    }
    if (head) throw refusal('unpack', 'it is not a tar archive');
    parser.end();
    if (writer.entries === 0) throw refusal('unpack', 'it is empty');
  } catch (error) {
    if (isAppError(error) || diskProblem(error) !== undefined) throw error;
    throw refusal('unpack', reasonOf(error));
  } finally {
    writer.close();
  }
}

const largestContent = 200 * 1024 * 1024;
const mostEntries = 1000;
const blockLength = 512;

class EntryWriter {
  entries = 0;
  readonly #directory: string;
  readonly #checkPath = packagePathChecker();
  #open: number | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  write(entry: ReadEntry): void {
    if (++this.entries > mostEntries) throw refusal('unpack', `it has more than ${mostEntries} entries`);
    const kind = kinds[entry.type];
    if (!kind) {
      const found = otherKinds[entry.type] ?? 'neither a file nor a folder';
      throw refusal('unpack', `"${printableName(entry.path)}" is ${found}`);
    }
    const place = placeOf(entry.path, this.#checkPath);
    const path = join(this.#directory, place);
    if (kind === 'folder') mkdirSync(path, { recursive: true, mode: 0o700 });
    else if (place === '') throw refusal('unpack', 'an entry has no name');
    else this.#writeFile(path, entry);
    entry.resume();
  }

  /** Writes synchronously, so a write error stops the parser at once. */
  #writeFile(path: string, entry: ReadEntry): void {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const file = openSync(path, 'wx', 0o600);
    this.#open = file;
    entry.on('data', (chunk: Buffer) => {
      for (let written = 0; written < chunk.length; ) written += writeSync(file, chunk, written);
    });
    entry.on('end', () => this.close());
  }

  close(): void {
    if (this.#open !== undefined) closeSync(this.#open);
    this.#open = undefined;
  }
}

const kinds: Partial<Record<ReadEntry['type'], 'file' | 'folder'>> = {
  File: 'file',
  OldFile: 'file',
  Directory: 'folder',
};

const otherKinds: Partial<Record<ReadEntry['type'], string>> = {
  SymbolicLink: 'a symbolic link',
  Link: 'a hard link',
  CharacterDevice: 'a device',
  BlockDevice: 'a device',
  FIFO: 'a pipe',
};

function gunzip(bytes: Buffer): AsyncIterable<Buffer> {
  const stream = createGunzip({ chunkSize: 256 * 1024 });
  stream.end(bytes);
  return stream;
}

/** The parser would itself decompress an archive that is compressed twice, without the size limit. */
function refuseSecondCompression(head: Buffer): void {
  const magic = head.readUInt32BE(0);
  if (magic >>> 16 === 0x1f8b || magic === 0x28b52ffd) {
    throw refusal('unpack', 'it is compressed twice');
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR') return 'it is cut short';
  if (code?.startsWith('Z_')) return `it is not a gzip file, or damaged (${message})`;
  if (code === 'EEXIST') return 'it has two entries of one name';
  if (code?.startsWith('TAR_')) return `it is not a tar archive, or damaged (${message})`;
  return message;
}

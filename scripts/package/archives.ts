import { createWriteStream, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip, createZstdCompress } from 'node:zlib';
import { create } from 'tar';
import { ZipFile } from 'yazl';

/** All files and folders in a folder, in an order that does not depend on the disk. A folder's path ends with `/`. */
export function listFiles(folder: string, inside = ''): string[] {
  return readdirSync(join(folder, inside), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
      return entry.isDirectory() ? [`${path}/`, ...listFiles(folder, path)] : [path];
    });
}

interface TarballOptions {
  time: Date;
  /** Compresses quickly, into a larger file. */
  isFast: boolean;
  prefix?: string;
  format?: 'gzip' | 'zstd';
}

/** The same files and time give the same bytes: the tarball names no owner, and the order of the files is fixed. */
export async function writeTarball(
  file: string,
  folder: string,
  { time, isFast, prefix, format = 'gzip' }: TarballOptions,
): Promise<void> {
  const level = { [constants.ZSTD_c_compressionLevel]: isFast ? 1 : 19 };
  const tar = create(
    {
      cwd: folder,
      portable: true,
      mtime: time,
      noDirRecurse: true,
      ...(prefix !== undefined && { prefix }),
      // The modes on disk depend on the umask of the build machine.
      onWriteEntry: ({ stat }) => {
        if (stat?.isDirectory()) stat.mode = 0o40755;
        else if (stat?.isFile()) stat.mode = 0o100000 | filePermissions(stat.mode);
      },
    },
    listFiles(folder),
  );
  await pipeline(
    Readable.from(tar),
    format === 'gzip' ? createGzip({ level: isFast ? 1 : 9 }) : createZstdCompress({ params: level }),
    createWriteStream(file),
  );
}

export async function writeZip(
  file: string,
  folder: string,
  { time, prefix = '' }: { time: Date; prefix?: string },
): Promise<void> {
  const zip = new ZipFile();
  for (const path of listFiles(folder)) {
    const from = join(folder, path);
    const stat = lstatSync(from);
    const name = prefix + path;
    const options = { mtime: new UtcDate(time), forceDosTimestamp: false };
    if (stat.isDirectory()) zip.addEmptyDirectory(name.replace(/\/$/, ''), { ...options, mode: 0o40755 });
    else if (stat.isSymbolicLink()) {
      zip.addBuffer(Buffer.from(readlinkSync(from)), name, { ...options, mode: 0o120777 });
    } else zip.addFile(from, name, { ...options, mode: 0o100000 | filePermissions(stat.mode) });
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(file));
}

/** A zip entry contains a local time. In UTC, it does not depend on the time zone of the build machine. */
class UtcDate extends Date {
  override getFullYear = this.getUTCFullYear;
  override getMonth = this.getUTCMonth;
  override getDate = this.getUTCDate;
  override getHours = this.getUTCHours;
  override getMinutes = this.getUTCMinutes;
  override getSeconds = this.getUTCSeconds;
}

function filePermissions(mode: number): number {
  return (mode & 0o100) === 0 ? 0o644 : 0o755;
}

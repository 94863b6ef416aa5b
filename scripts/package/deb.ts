import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles, writeTarball } from './archives.ts';
import type { Release } from './release.ts';
import { emptyStage, write } from './stage.ts';

/** A Debian package: an `ar` archive of the format version, a control tarball and a data tarball. dpkg reads Zstandard from Debian 12 on. */
export async function writeDeb(
  file: string,
  data: string,
  {
    control,
    scripts,
    release: { time, isFast },
  }: { control: Record<string, string>; scripts: Record<string, string>; release: Release },
): Promise<void> {
  const stage = emptyStage('deb-control');
  const files = listFiles(data).filter((path) => !path.endsWith('/'));
  const kilobytes = files.reduce((sum, path) => sum + Math.ceil(lstatSync(join(data, path)).size / 1024), 0);
  const fields = { ...control, 'Installed-Size': String(kilobytes) };
  write(
    join(stage, 'control'),
    Object.entries(fields)
      .map(([name, value]) => `${name}: ${value}\n`)
      .join(''),
  );
  write(join(stage, 'md5sums'), md5sums(data, files));
  for (const [name, text] of Object.entries(scripts)) write(join(stage, name), text, 0o755);
  const parts = { 'control.tar.gz': `${file}.control`, 'data.tar.zst': `${file}.data` };
  await writeTarball(parts['control.tar.gz'], stage, { time, isFast, prefix: '.' });
  assertPlainNames(data);
  await writeTarball(parts['data.tar.zst'], data, { time, isFast, prefix: '.', format: 'zstd' });
  const seconds = Math.trunc(time.getTime() / 1000);
  const members: [string, Buffer][] = [
    ['debian-binary', Buffer.from('2.0\n')],
    ...Object.entries(parts).map(([name, path]): [string, Buffer] => [name, readFileSync(path)]),
  ];
  writeFileSync(
    file,
    Buffer.concat([Buffer.from('!<arch>\n'), ...members.flatMap((one) => member(one, seconds))]),
  );
  for (const path of Object.values(parts)) rmSync(path);
}

/** The tar header of a longer name is in a format that dpkg refuses. */
function assertPlainNames(folder: string): void {
  const long = listFiles(folder).filter((path) => Buffer.byteLength(`./${path}`) > 100);
  if (long.length > 0) throw new Error(`dpkg cannot unpack a name of more than 100 bytes: ${long[0]}`);
}

/** A header of 60 bytes (name, time, owner, group, mode, size), the content, and a padding byte after an odd size. */
function member([name, content]: [string, Buffer], seconds: number): Buffer[] {
  const header = [
    name.padEnd(16),
    String(seconds).padEnd(12),
    '0'.padEnd(6),
    '0'.padEnd(6),
    '100644'.padEnd(8),
    String(content.length).padEnd(10),
    '`\n',
  ].join('');
  return [Buffer.from(header), content, Buffer.alloc(content.length % 2, '\n')];
}

function md5sums(folder: string, files: string[]): string {
  return files
    .filter((path) => lstatSync(join(folder, path)).isFile())
    .map((path) => {
      const sum = createHash('md5')
        .update(readFileSync(join(folder, path)))
        .digest('hex');
      return `${sum}  ${path}\n`;
    })
    .join('');
}

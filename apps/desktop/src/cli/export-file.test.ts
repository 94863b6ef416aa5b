import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openExportFile } from './export-file.ts';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'trestle-export-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

async function writeTo(path: string, { replace }: { replace: boolean }): Promise<void> {
  const file = await openExportFile(path, { replace });
  try {
    await file.write('rows');
    await file.finish();
  } finally {
    await file.giveUp();
  }
}

test('only the owner can read the exported file, and no partial file is left', async () => {
  const at = folder();
  await writeTo(join(at, 'a.csv'), { replace: false });
  expect([readFileSync(join(at, 'a.csv'), 'utf8'), statSync(join(at, 'a.csv')).mode & 0o777]).toEqual([
    'rows',
    0o600,
  ]);
  expect(readdirSync(at)).toEqual(['a.csv']);
});

test('without --replace, a file that another program creates during the export is not replaced', async () => {
  const at = folder();
  const file = await openExportFile(join(at, 'a.csv'), { replace: false });
  await file.write('rows');
  writeFileSync(join(at, 'a.csv'), 'theirs');
  await expect(file.finish()).rejects.toMatchObject({ code: 'conflict' });
  await file.giveUp();
  expect([readdirSync(at), readFileSync(join(at, 'a.csv'), 'utf8')]).toEqual([['a.csv'], 'theirs']);
});

test('with --replace, the file that a link points to is replaced; without it, a link is refused', async () => {
  const at = folder();
  writeFileSync(join(at, 'real.csv'), 'before');
  symlinkSync(join(at, 'real.csv'), join(at, 'link.csv'));
  await expect(writeTo(join(at, 'link.csv'), { replace: false })).rejects.toMatchObject({ code: 'conflict' });
  await writeTo(join(at, 'link.csv'), { replace: true });
  expect(lstatSync(join(at, 'link.csv')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(at, 'real.csv'), 'utf8')).toBe('rows');
});

test.each([
  ['with', true],
  ['without', false],
])('a folder, a device and a link that leads nowhere are refused %s --replace', async (_, replace) => {
  const at = folder();
  mkdirSync(join(at, 'sub'));
  symlinkSync('/dev/null', join(at, 'device.csv'));
  symlinkSync(join(at, 'nowhere.csv'), join(at, 'dangling.csv'));
  for (const path of [join(at, 'sub'), join(at, 'device.csv'), join(at, 'dangling.csv')]) {
    await expect(openExportFile(path, { replace })).rejects.toMatchObject({
      message: `${path} is not a plain file`,
    });
  }
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
});

test('the name of the file may have 255 bytes, the limit of most file systems', async () => {
  const at = folder();
  const name = `${'x'.repeat(251)}.csv`;
  await writeTo(join(at, name), { replace: false });
  expect(readdirSync(at)).toEqual([name]);
});

test('a reader that closes the standard output early is no failure', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((...args: unknown[]) => {
    (args.at(-1) as (error: Error) => void)(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    return true;
  });
  onTestFinished(() => write.mockRestore());
  const file = await openExportFile('-', { replace: false });
  expect(file.isClosed).toBe(false);
  await file.write('rows');
  await file.write('more');
  expect([file.isClosed, write.mock.calls.length]).toEqual([true, 1]);
});

test('an error while the file is finished says which file cannot be written', async () => {
  const path = join(folder(), 'a.csv');
  const file = await openExportFile(path, { replace: false });
  const other = await open('/dev/null');
  const failing = vi.spyOn(Object.getPrototypeOf(other), 'sync');
  failing.mockRejectedValueOnce(new Error('ENOSPC: no space left on device'));
  await expect(file.finish()).rejects.toMatchObject({
    code: 'storage_failed',
    message: `${path} cannot be written: ENOSPC: no space left on device`,
  });
  failing.mockRestore();
  await other.close();
  await file.giveUp();
  expect(readdirSync(dirname(path))).toEqual([]);
});

test('the size of the standard output is counted in bytes', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((...args: unknown[]) => {
    (args.at(-1) as () => void)();
    return true;
  });
  const file = await openExportFile('-', { replace: false });
  await file.write('für');
  await file.write(new Uint8Array(3));
  write.mockRestore();
  expect(file.bytes).toBe(7);
});

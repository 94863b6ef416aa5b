import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { ExportFormat } from '@trestle/core';
import { type Cell, rowSetFromCells } from '@trestle/driver-kit';
import { expect, onTestFinished, test } from 'vitest';
import { writeExport } from './write-export.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'export-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'exports');
}

const columns = ['a', 'b "quoted"'].map((name) => ({ name, type: 'any' as const, nativeType: '' }));

async function* batches(...parts: Cell[][][]) {
  for (const rows of parts) yield rowSetFromCells(columns, rows);
}

async function written(format: ExportFormat, ...parts: Cell[][][]): Promise<string> {
  const options = {
    folder: temporaryFolder(),
    name: 't',
    format,
    batches: batches(...parts),
    limitMegabytes: 10,
  };
  return readFileSync((await writeExport(options)).file, 'utf8');
}

test('each format contains every batch, separates NULL from the empty text, and writes bytes and large integers exactly', async () => {
  const parts: Cell[][][] = [
    [[1, 'x,"y"\n']],
    [],
    [
      [9007199254740993n, ''],
      [null, Uint8Array.of(0, 255)],
    ],
  ];
  expect(await written('csv', ...parts)).toBe(
    'a,"b ""quoted"""\r\n1,"x,""y""\n"\r\n9007199254740993,""\r\n,AP8=\r\n',
  );
  const objects = [
    { a: 1, 'b "quoted"': 'x,"y"\n' },
    { a: '9007199254740993', 'b "quoted"': '' },
    { a: null, 'b "quoted"': 'AP8=' },
  ];
  expect(JSON.parse(await written('json', ...parts))).toEqual(objects);
  const lines = (await written('jsonl', ...parts)).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(objects);
  expect(await written('json')).toBe('[]\n');
});

test('an export with an unusual name stays inside the folder, and only its owner can read it', async () => {
  for (const name of ['../../etc/passwd', 'a/b\\c', '..', '', 'Größe 表', '\0', `${'a'.repeat(59)}𐐀`]) {
    const folder = temporaryFolder();
    const { file } = await writeExport({
      folder,
      name,
      format: 'csv',
      batches: batches(),
      limitMegabytes: 10,
    });
    expect(readdirSync(folder)).toEqual([basename(file)]);
    expect(basename(file)).toMatch(/^[\p{L}\p{N}_-]+\.csv$/u);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  }
});

test('a failed export leaves no file', async () => {
  const folder = temporaryFolder();
  async function* failing() {
    yield* batches([[1, 2]]);
    throw new Error('The connection is gone');
  }
  const call = writeExport({ folder, name: 't', format: 'csv', batches: failing(), limitMegabytes: 10 });
  await expect(call).rejects.toThrow('is gone');
  expect(readdirSync(folder)).toEqual([]);
});

test('an export that cannot be written says why', async () => {
  const parent = temporaryFolder();
  writeFileSync(parent, '');
  const options = { name: 't', format: 'csv' as const, batches: batches(), limitMegabytes: 10 };
  await expect(writeExport({ ...options, folder: join(parent, 'exports') })).rejects.toMatchObject({
    code: 'storage_failed',
    message: expect.stringMatching(/^The export could not be written: ENOTDIR: .*\. Nothing was saved$/),
  });
});

test('a complete export does not fail if the other exports cannot be listed', async () => {
  const folder = temporaryFolder();
  async function* moving() {
    yield* batches([[1, 2]]);
    renameSync(folder, `${folder}-moved`);
    writeFileSync(folder, '');
  }
  const options = { folder, name: 't', format: 'csv' as const, batches: moving(), limitMegabytes: 10 };
  expect(await writeExport(options)).toMatchObject({ rows: 1, removed: 0 });
});

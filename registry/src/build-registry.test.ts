import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { indexStatement, packageStatement } from '@trestle/driver-kit/registry';
import { create } from 'tar';
import { expect, onTestFinished, test } from 'vitest';
import { buildRegistry, readIndex } from './build-registry.ts';
import { developmentKey, publicKeyOf } from './keys.ts';

const manifest = {
  id: 'shelf',
  name: 'Shelf',
  summary: 'Books',
  version: '1.0.0',
  kit: 1,
  entry: 'driver.js',
  platforms: ['desktop'],
  concurrency: 'parallel',
  process: { network: false, sqlite: false },
  terms: { table: ['shelf', 'shelves'], row: ['book', 'books'] },
  fields: [],
  address: '',
  editor: { language: 'sql', placeholder: '' },
  operators: [],
};

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-registry-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function packed(changes: object = {}, source = ''): Promise<string> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, ...changes }));
  writeFileSync(join(folder, 'driver.js'), source);
  const file = join(temporaryFolder(), 'shelf.tgz');
  await create({ cwd: folder, file, gzip: true }, ['manifest.json', 'driver.js']);
  return file;
}

const newKey = () => generateKeyPairSync('ed25519').privateKey;

async function registry(folder = temporaryFolder(), key = newKey()) {
  const add = async (changes: object, sequence: number, source?: string, publisher = key) =>
    buildRegistry({
      folder,
      name: 'Test',
      packages: [{ file: await packed(changes, source), changes: 'First.' }],
      publisher: { name: 'Somebody', key: publisher },
      signers: [key],
      sequence,
    });
  return { folder, key, add };
}

test.each(['Shelf', 'SHELF', 'SheIf', 'Sh\u0435lf', ' Shelf.', 'Sh\u200belf'])(
  'a second driver is not published under the name %j, which reads like that of the first',
  async (name) => {
    const { folder, add } = await registry();
    await add({}, 1);
    await expect(add({ id: 'other', name }, 2)).rejects.toThrow(
      /reads like that of the driver shelf\. Choose another name\.|has characters that cannot be seen/,
    );
    expect(readIndex(join(folder, 'index.json'))).toMatchObject({ sequence: 1 });
    await add({ id: 'other', name: 'Bookcase' }, 2);
    await add({ version: '1.1.0' }, 3);
  },
);

test('the index and each package are signed, and the folder contains every file that the index names', async () => {
  const { folder, key, add } = await registry();
  const index = await add({}, 1);
  const file = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'));
  expect(file.signatures[0].key).toBe(publicKeyOf(key));
  const signed = Buffer.from(file.signatures[0].signature, 'base64');
  expect(verify(null, indexStatement(file.payload), key, signed)).toBe(true);
  const [entry] = index.plugins;
  const statement = packageStatement('shelf', '1.0.0', entry!.integrity);
  expect(verify(null, statement, key, Buffer.from(entry!.signature, 'base64'))).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(['index.json', entry!.tarball]);
  expect(readIndex(join(folder, 'index.json'))).toEqual(index);
});

test('the index lists a second version after the first', async () => {
  const { add } = await registry();
  await add({}, 1);
  const index = await add({ version: '1.1.0' }, 2);
  expect(index.plugins.map((entry) => entry.manifest.version)).toEqual(['1.0.0', '1.1.0']);
});

test.each([
  ['an invalid manifest', { fields: 'none' }, /is not valid/],
  ['a manifest for another kit', { kit: 99 }, /made for driver kit 99/],
])('%s is refused', async (_what, changes, message) => {
  const { folder, add } = await registry();
  await expect(add(changes, 1)).rejects.toThrow(message);
  expect(readdirSync(folder)).toEqual([]);
});

test('an id of another publisher, other bytes for a published version, and an old or invalid sequence are refused', async () => {
  const { add } = await registry();
  await add({}, 5);
  await expect(add({ version: '2.0.0' }, 6, '', newKey())).rejects.toThrow(
    'The id shelf belongs to Somebody, who has another key',
  );
  await expect(add({}, 6, 'changed')).rejects.toThrow('is published already with other bytes');
  await expect(add({ version: '2.0.0' }, 5)).rejects.toThrow('is not newer');
  await expect(add({ version: '2.0.0' }, Number.NaN)).rejects.toThrow('is a whole number');
});

test('the first index with a new key must also be signed with the old key, and earlier versions are signed again with the new key', async () => {
  const folder = temporaryFolder();
  const [before, after] = [newKey(), newKey()];
  const build = async (version: string, sequence: number, signers: KeyObject[]) =>
    buildRegistry({
      folder,
      name: 'Test',
      packages: [{ file: await packed({ version }), changes: '' }],
      publisher: { name: 'Somebody', key: signers[0]! },
      signers,
      nextKeys: [publicKeyOf(signers[0]!)],
      sequence,
    });
  await build('1.0.0', 1, [before]);
  await expect(build('1.1.0', 2, [after])).rejects.toThrow(
    'would refuse this one: it is signed by another key',
  );
  await expect(
    buildRegistry({
      folder,
      name: 'Test',
      packages: [],
      publisher: { name: 'Somebody', key: before },
      signers: [before],
      nextKeys: [publicKeyOf(after)],
      sequence: 2,
    }),
  ).rejects.toThrow('none of the next keys has signed it');
  const index = await build('1.1.0', 2, [after, before]);
  expect(index.keys).toEqual([publicKeyOf(after)]);
  const file = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'));
  expect(file.signatures.map((one: { key: string }) => one.key)).toEqual([after, before].map(publicKeyOf));
  for (const { manifest, integrity, publisher, signature } of (await build('1.2.0', 3, [after])).plugins) {
    expect(publisher.key).toBe(publicKeyOf(after));
    const statement = packageStatement('shelf', manifest.version, integrity);
    expect(verify(null, statement, after, Buffer.from(signature, 'base64'))).toBe(true);
  }
});

test('the driver kit is copied into the folder, and other bytes under its name are refused', async () => {
  const folder = temporaryFolder();
  const key = newKey();
  const kit = join(temporaryFolder(), 'driver-kit-1.0.0.tgz');
  const build = (content: string, sequence: number) => {
    writeFileSync(kit, content);
    const publisher = { name: 'Somebody', key };
    return buildRegistry({
      ...{ folder, name: 'Test', packages: [], beside: [kit], publisher, signers: [key], sequence },
    });
  };
  expect((await build('kit', 1)).plugins).toEqual([]);
  await build('kit', 2);
  await expect(build('another', 3)).rejects.toThrow(
    'driver-kit-1.0.0.tgz is published already with other bytes',
  );
  expect(readFileSync(join(folder, 'driver-kit-1.0.0.tgz'), 'utf8')).toBe('kit');
});

test('a development key is made once', () => {
  const file = join(temporaryFolder(), 'keys', 'development.pem');
  expect(publicKeyOf(developmentKey(file))).toBe(publicKeyOf(developmentKey(file)));
});

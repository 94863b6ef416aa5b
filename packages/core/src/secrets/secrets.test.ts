import { spawnSync } from 'node:child_process';
import fs, {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { bytesOf, temporaryFolder } from '../testing/test-core.ts';
import { EncryptedFile } from './encrypted-file.ts';
import { Keychain } from './keychain.ts';
import { openSecretStore } from './open-secret-store.ts';

const log = pino({ level: 'silent' });

test('the file keeps secrets encrypted, and only its owner can read it', async () => {
  const home = temporaryFolder();
  const file = new EncryptedFile(home);
  expect(await file.get('a/key')).toBeNull();
  await file.set('a/key', 'sésame');
  await file.set('b/key', 'other');
  await file.set('a/key', 'sésame ouvre-toi');
  expect(await new EncryptedFile(home).get('a/key')).toBe('sésame ouvre-toi');
  expect(bytesOf(home)).not.toMatch(/ouvre-toi|other/);
  for (const name of ['secrets.json', 'secrets.key'])
    expect(statSync(join(home, name)).mode & 0o777).toBe(0o600);
  await file.delete('a/key');
  await file.delete('a/key');
  expect(file.names()).toEqual(['b/key']);
});

test('an entry moved under another name does not decrypt', async () => {
  const home = temporaryFolder();
  const file = new EncryptedFile(home);
  await file.set('a/key', 'secret');
  const path = join(home, 'secrets.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('a/key', 'b/key'));
  await expect(file.get('b/key')).rejects.toMatchObject({ code: 'storage_failed' });
});

test('a damaged file and a lost key are errors, and nothing is overwritten', async () => {
  const home = temporaryFolder();
  const file = new EncryptedFile(home);
  await file.set('a/key', 'secret');
  rmSync(join(home, 'secrets.key'));
  await expect(file.set('b/key', 'x')).rejects.toMatchObject({
    message: expect.stringMatching(/secrets.key is missing/),
  });
  await expect(file.get('a/key')).rejects.toThrow('secrets.key is missing, so stored secrets are lost.');
  expect(existsSync(join(home, 'secrets.key'))).toBe(false);
  writeFileSync(join(home, 'secrets.key'), 'short');
  await expect(file.get('a/key')).rejects.toThrow('secrets.key is damaged.');
  writeFileSync(join(home, 'secrets.key'), Buffer.alloc(32));
  await expect(file.get('a/key')).rejects.toThrow('cannot be decrypted with');
  rmSync(join(home, 'secrets.key'));
  writeFileSync(join(home, 'secrets.json'), '{"version":1,"entr');
  await expect(file.set('b/key', 'x')).rejects.toMatchObject({
    message: expect.stringMatching(/is damaged/),
  });
  expect(readFileSync(join(home, 'secrets.json'), 'utf8')).toBe('{"version":1,"entr');
});

test('a file that cannot be opened is not called damaged', async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'secrets.json'));
  await expect(new EncryptedFile(home).get('a/key')).rejects.toMatchObject({
    code: 'storage_failed',
    message: expect.stringMatching(/secrets\.json cannot be read: EISDIR/),
    hint: 'Check the permissions of the file.',
  });
});

test('a lost key is replaced if no secret is stored', async () => {
  const home = temporaryFolder();
  const file = new EncryptedFile(home);
  await file.set('a/key', 'secret');
  await file.delete('a/key');
  rmSync(join(home, 'secrets.key'));
  await file.set('b/key', 'other');
  expect(await file.get('b/key')).toBe('other');
});

test('storing the first secret syncs two files to the disk: the new key and the secrets', async () => {
  const file = new EncryptedFile(temporaryFolder());
  const spy = vi.spyOn(fs, 'fsyncSync');
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  await file.set('a/key', 'secret');
  expect(spy).toHaveBeenCalledTimes(2);
});

test.runIf(process.platform === 'linux')('a full disk leaves no temporary file', async () => {
  const home = temporaryFolder();
  const file = new EncryptedFile(home);
  await file.set('a/key', 'secret');
  symlinkSync('/dev/full', join(home, `secrets.json.${process.pid}.tmp`));
  await expect(file.set('b/key', 'x')).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(readdirSync(home).sort()).toEqual(['secrets.json', 'secrets.key']);
  expect(file.names()).toEqual(['a/key']);
});

test('a key that could not be written is created at the next try', async () => {
  const file = new EncryptedFile(temporaryFolder());
  const spy = vi.spyOn(fs, 'writeFileSync').mockImplementation((to) => {
    if (typeof to === 'string') closeSync(openSync(to, 'wx'));
    throw new Error('ENOSPC: no space left on device');
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  await expect(file.set('a/key', 'x')).rejects.toThrow('ENOSPC');
  spy.mockRestore();
  syncBuiltinESMExports();
  await file.set('a/key', 'x');
  expect(await file.get('a/key')).toBe('x');
});

test.runIf(process.platform === 'linux')(
  'without a keychain the file is used, and the reason is reported',
  async () => {
    const before = process.env.DBUS_SESSION_BUS_ADDRESS;
    process.env.DBUS_SESSION_BUS_ADDRESS = 'unix:path=/nowhere/bus';
    onTestFinished(() => {
      if (before === undefined) delete process.env.DBUS_SESSION_BUS_ADDRESS;
      else process.env.DBUS_SESSION_BUS_ADDRESS = before;
    });
    const { info } = await openSecretStore({ home: temporaryFolder(), choice: 'auto', probeMs: 20_000, log });
    expect(info).toEqual({
      store: 'file',
      reason: expect.stringMatching(/^The keychain of the operating system cannot/),
    });
  },
);

test.runIf(process.platform === 'linux')(
  'a request to a keychain that never answers ends after its timeout, or when the store closes',
  async () => {
    const path = join(temporaryFolder(), 'bus');
    const bus = createServer(() => {});
    await new Promise<void>((listening) => bus.listen(path, listening));
    onTestFinished(() => void bus.close());
    const environment = { ...process.env, DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` };
    expect(await new Keychain({ timeoutMs: 500, environment }).problem()).toMatch(/did not answer/);
    const keychain = new Keychain({ timeoutMs: 3_600_000, environment });
    const asking = keychain.get('a/key');
    keychain.close();
    await expect(asking).rejects.toMatchObject({ code: 'storage_failed' });
  },
);

test.runIf(process.platform === 'linux')(
  'if the process has no free file descriptor, a request to the keychain fails, and the process goes on',
  () => {
    const program = join(temporaryFolder(), 'program.ts');
    writeFileSync(
      program,
      `
    import { openSync } from 'node:fs';
    import { Keychain } from ${JSON.stringify(join(import.meta.dirname, 'keychain.ts'))};
    const keychain = new Keychain({ timeoutMs: 20_000 });
    await keychain.problem();
    const open = [];
    try {
      for (;;) open.push(openSync('/dev/null'));
    } catch {}
    const problem = await keychain.problem();
    await new Promise(setImmediate);
    console.log(problem);
    `,
    );
    const environment = { ...process.env, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere/bus' };
    const command = 'ulimit -n 100; exec "$0" "$1"';
    const { stdout, status } = spawnSync('sh', ['-c', command, process.execPath, program], {
      env: environment,
      encoding: 'utf8',
    });
    expect(stdout).toMatch(/cannot be used: spawn .* EMFILE/);
    expect(status).toBe(0);
  },
);

test('if a start moved only some secrets to the keychain, the next start moves the others and keeps newer changes', async () => {
  const home = temporaryFolder();
  const file = new EncryptedFile(home);
  for (const name of ['a', 'b', 'c', 'd']) await file.set(name, `${name} from the file`);
  const kept = new Map<string, string>();
  let isLocked = true;
  const spies = [
    vi.spyOn(Keychain.prototype, 'problem').mockResolvedValue(null),
    vi.spyOn(Keychain.prototype, 'get').mockImplementation(async (name) => kept.get(name) ?? null),
    vi.spyOn(Keychain.prototype, 'delete').mockImplementation(async (name) => void kept.delete(name)),
    vi.spyOn(Keychain.prototype, 'set').mockImplementation(async (name, value) => {
      if (isLocked && name !== 'a') throw new Error('it is locked');
      kept.set(name, value);
    }),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  const open = async () => (await openSecretStore({ home, choice: 'auto', probeMs: 1, log })).store;
  const first = await open();
  expect(file.names()).toEqual(['b', 'c', 'd']);
  expect(await first.get('d')).toBe('d from the file');
  isLocked = false;
  await first.set('b', 'newer');
  await first.delete('c');
  const second = await open();
  const read = await Promise.all(['a', 'b', 'c', 'd'].map((name) => second.get(name)));
  expect(read).toEqual(['a from the file', 'newer', null, 'd from the file']);
  expect(file.names()).toEqual([]);
});

test('a damaged file does not keep the keychain from storing secrets', async () => {
  const home = temporaryFolder();
  writeFileSync(join(home, 'secrets.json'), '{');
  const set = vi.spyOn(Keychain.prototype, 'set').mockResolvedValue();
  const problem = vi.spyOn(Keychain.prototype, 'problem').mockResolvedValue(null);
  onTestFinished(() => {
    set.mockRestore();
    problem.mockRestore();
  });
  const { store } = await openSecretStore({ home, choice: 'auto', probeMs: 1, log });
  await store.set('a', 'x');
  expect(set).toHaveBeenCalledWith('a', 'x');
});

const hasKeyring = ['dbus-run-session', 'gnome-keyring-daemon'].every(
  (program) => spawnSync('which', [program]).status === 0,
);

test.runIf(process.platform === 'linux' && hasKeyring)(
  'a real keychain keeps secrets, and takes over those in the file',
  () => {
    const home = temporaryFolder();
    const program = join(home, 'program.ts');
    const source = (name: string) => JSON.stringify(join(import.meta.dirname, name));
    writeFileSync(
      program,
      `
    import { EncryptedFile } from ${source('encrypted-file.ts')};
    import { openSecretStore } from ${source('open-secret-store.ts')};
    const home = ${JSON.stringify(home)};
    const log = { warn() {}, error() {} };
    const file = new EncryptedFile(home);
    await file.set('a/key', 'from the file');
    const { store, info } = await openSecretStore({ home, choice: 'auto', probeMs: 20_000, log });
    await store.set('b/key', 'sésame');
    const read = [await store.get('a/key'), await store.get('b/key'), await store.get('c/key')];
    await store.delete('b/key');
    await store.delete('c/key');
    console.log(JSON.stringify({ info, read, deleted: await store.get('b/key'), left: file.names() }));
    `,
    );
    const command =
      'printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null; exec "$0" "$1"';
    const { stdout } = spawnSync('dbus-run-session', ['--', 'sh', '-c', command, process.execPath, program], {
      env: {
        ...process.env,
        HOME: home,
        XDG_DATA_HOME: join(home, 'data'),
        XDG_RUNTIME_DIR: home,
        DISPLAY: '',
      },
      encoding: 'utf8',
    });
    expect(JSON.parse(stdout)).toEqual({
      info: { store: 'keychain', reason: null },
      read: ['from the file', 'sésame', null],
      deleted: null,
      left: [],
    });
  },
);

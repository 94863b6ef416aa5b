import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Json } from '@trestle/driver-kit';
import { expect, onTestFinished, test } from 'vitest';
import { openScriptLink, type ScriptLink } from './testing/script-link.ts';
import { copyDriver, temporaryDirectory } from './testing/temporary.ts';

const denied = 'ERR_ACCESS_DENIED';

test('a driver without chosen files can read its own folder, but not other folders or /proc', async () => {
  const outside = await temporaryDirectory();
  await writeFile(join(outside, 'secret.txt'), 'secret');
  const link = await openScriptLink();
  const file = JSON.stringify(join(outside, 'secret.txt'));
  expect(await attempt(link, "return require('fs').readdirSync('.')")).toEqual(['driver.js']);
  expect(await attempt(link, `return require('fs').readFileSync(${file}, 'utf8')`)).toBe(denied);
  expect(await attempt(link, `return await require('fs').promises.readFile(${file}, 'utf8')`)).toBe(denied);
  expect(await attempt(link, `return require('fs').statSync(${file}).size`)).toBe(denied);
  expect(await attempt(link, `return require('module').createRequire('/')(${file})`)).toBe(denied);
  expect(await attempt(link, "return require('fs').readdirSync(require('os').homedir())")).toBe(denied);
  expect(await attempt(link, "return require('fs').readdirSync('..')")).toBe(denied);
  expect(await attempt(link, "return require('fs').readFileSync('/proc/self/environ', 'utf8')")).toBe(denied);
  expect(await attempt(link, "return require('fs').readFileSync('/proc/' + process.ppid + '/environ')")).toBe(
    denied,
  );
});

test('a driver reads the file the user chose, and none beside it', async () => {
  const folder = await temporaryDirectory();
  const [chosen, beside, starred] = ['a, b.txt', 'a, b.txt2', 'a*'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const file of [chosen, beside, starred]) await writeFile(file, 'text');
  const read = (link: ScriptLink, file: string) =>
    attempt(link, `return require('fs').readFileSync(${JSON.stringify(file)}, 'utf8')`);
  const manifest = {
    fields: [{ id: 'file', label: 'File', type: 'file' as const, deliver: 'path' as const }],
  };
  const link = await openScriptLink({ manifest, fields: { file: chosen } });
  expect([await read(link, chosen), await read(link, beside)]).toEqual(['text', denied]);
  expect(await attempt(link, `require('fs').writeFileSync(${JSON.stringify(chosen)}, 'x')`)).toBe(denied);
  const wild = await openScriptLink({ manifest, fields: { file: starred } });
  expect([await read(wild, chosen), await read(wild, beside)]).toEqual([denied, denied]);
});

test('a driver reads the folder the user chose, writes to it if the manifest says so, and cannot link to another folder', async () => {
  const parent = await temporaryDirectory();
  const [chosen, beside] = [join(parent, 'rows'), join(parent, 'rows-two')];
  for (const folder of [chosen, beside]) {
    await mkdir(join(folder, 'deep'), { recursive: true });
    await writeFile(join(folder, 'deep', 'a.txt'), 'text');
  }
  const open = (write: boolean) =>
    openScriptLink({
      manifest: { fields: [{ id: 'folder', label: 'Folder', type: 'folder' as const, write }] },
      fields: { folder: chosen },
    });
  const read = (link: ScriptLink, folder: string) =>
    attempt(
      link,
      `return require('fs').readFileSync(${JSON.stringify(join(folder, 'deep', 'a.txt'))}, 'utf8')`,
    );
  const write = (link: ScriptLink, folder: string) =>
    attempt(
      link,
      `return require('fs').writeFileSync(${JSON.stringify(join(folder, 'b.txt'))}, 'x') ?? 'written'`,
    );
  const reader = await open(false);
  expect([await read(reader, chosen), await read(reader, beside)]).toEqual(['text', denied]);
  expect(await write(reader, chosen)).toBe(denied);
  const writer = await open(true);
  expect([await write(writer, chosen), await write(writer, beside)]).toEqual(['written', denied]);
  const [from, to] = [beside, join(chosen, 'link')].map((path) => JSON.stringify(path));
  expect(await attempt(writer, `require('fs').symlinkSync(${from}, ${to})`)).toBe(denied);
});

test('a driver cannot read a folder whose name begins with the name of its own folder', async () => {
  const parent = await temporaryDirectory();
  const own = await copyDriver(join(parent, 'driver'));
  const sibling = await copyDriver(join(parent, 'driver-two'));
  const link = await openScriptLink({ driverDirectory: own });
  const file = JSON.stringify(join(sibling, 'driver.js'));
  expect(await attempt(link, `return require('fs').readFileSync(${file}, 'utf8')`)).toBe(denied);
});

test('a folder with spaces, commas and non-ASCII letters in its path can be read', async () => {
  const own = await copyDriver(join(await temporaryDirectory(), 'Application Support, é', 'driver'));
  const link = await openScriptLink({ driverDirectory: own });
  expect(await attempt(link, "return require('fs').readdirSync('.')")).toEqual(['driver.js']);
});

test('a driver without a writable folder writes nothing, not even in its own folder', async () => {
  const outside = await temporaryDirectory();
  const own = await copyDriver(join(await temporaryDirectory(), 'driver'));
  const link = await openScriptLink({ driverDirectory: own });
  const file = JSON.stringify(join(outside, 'written.txt'));
  expect(await attempt(link, `require('fs').writeFileSync(${file}, 'x')`)).toBe(denied);
  expect(await attempt(link, "require('fs').writeFileSync('written.txt', 'x')")).toBe(denied);
  expect(await attempt(link, "require('fs').symlinkSync('/etc', 'etc')")).toBe(denied);
  expect(await attempt(link, `require('v8').writeHeapSnapshot(${file})`)).toBe(denied);
  expect(await attempt(link, `process.report.writeReport(${file})`)).toBe(denied);
  expect(await readdir(outside)).toEqual([]);
  expect(await readdir(own)).toEqual(['driver.js']);
});

test.each([
  ['a child process', "return require('child_process').spawnSync('id')", denied],
  ['a fork', "return require('child_process').fork('driver.js')", denied],
  ['process.execve', "process.execve('/bin/true', ['true'])", denied],
  ['a worker thread', "return new (require('worker_threads').Worker)('1', { eval: true })", denied],
  ['a native addon', "process.dlopen({ exports: {} }, './addon.node')", denied],
  ['WASI', "return new (require('wasi').WASI)({ version: 'preview1', preopens: { '/': '/' } })", denied],
  ['its own inspector', "require('inspector').open(0)", denied],
  ['an inspector session', "new (require('inspector').Session)().connect()", denied],
  ['process.binding', "return process.binding('spawn_sync')", denied],
  ['a loader hook', "require('module').register('data:text/javascript,export {}')", denied],
])('a driver does not get %s', async (_, script, outcome) => {
  for (const concurrency of ['parallel', 'serial'] as const) {
    const link = await openScriptLink({ concurrency });
    expect([concurrency, await attempt(link, script)]).toEqual([concurrency, outcome]);
  }
});

test('a driver has no node:sqlite unless it ships with the app and its manifest asks for it', async () => {
  const database = await createDatabase();
  for (const options of [
    { bundled: false, process: { sqlite: true } },
    { bundled: true, process: { sqlite: false } },
  ]) {
    const link = await openScriptLink(options);
    const open = `const { DatabaseSync } = await import('node:sqlite'); new DatabaseSync(${JSON.stringify(database)})`;
    expect(await attempt(link, open)).toBe('ERR_UNKNOWN_BUILTIN_MODULE');
    expect(await attempt(link, "return process.getBuiltinModule('node:sqlite') ?? 'none'")).toBe('none');
  }
});

test('a driver with node:sqlite can open a file that the permission model denies to node:fs', async () => {
  const database = await createDatabase();
  const link = await openScriptLink({ bundled: true, process: { sqlite: true } });
  const file = JSON.stringify(database);
  const script = `
    const { DatabaseSync } = require('node:sqlite');
    const database = new DatabaseSync(${file});
    database.exec("PRAGMA journal_mode = WAL; INSERT INTO planets VALUES ('Neptune')");
    const reader = new DatabaseSync(${file}, { readOnly: true });
    return reader.prepare('SELECT name FROM planets').all().map((row) => row.name);`;
  expect(await attempt(link, script)).toEqual(['Earth', 'Neptune']);
  expect(await attempt(link, `return require('fs').readFileSync(${file})`)).toBe(denied);
});

test("a driver sees only the certificate variables of the app's environment", async () => {
  process.env.TRESTLE_TEST_SECRET = 'secret';
  onTestFinished(() => void delete process.env.TRESTLE_TEST_SECRET);
  for (const server of [undefined, someServer]) {
    const link = await openScriptLink({ server });
    const names = (await attempt(link, 'return Object.keys(process.env)')) as string[];
    const trust = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', '__CF_USER_TEXT_ENCODING'];
    expect(names.filter((name) => !trust.includes(name))).toEqual([]);
    expect(JSON.stringify(await attempt(link, 'return process.report.getReport()'))).not.toContain('SECRET');
  }
});

test("the machine's trusted certificates reach a driver with network", async () => {
  const link = await openScriptLink({ server: someServer });
  const script = `
    const { getCACertificates } = require('tls');
    const used = new Set(getCACertificates('default'));
    return getCACertificates('system').every((certificate) => used.has(certificate));`;
  expect(await attempt(link, script)).toBe(true);
});

test('a driver that writes invalid bytes to the link is stopped, and the app keeps running', async () => {
  const offence = 'The Script driver was stopped because it wrote an invalid message to the link.';
  for (const bytes of ['[9, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255]', '[255, 255, 255, 255]']) {
    const link = await openScriptLink();
    const script = `require('fs').writeSync(3, Buffer.from(${bytes})); await new Promise(() => {})`;
    await expect(link.run(helpers + script)).rejects.toMatchObject({
      code: 'driver_crashed',
      message: offence,
    });
    expect(await link.run('return 1')).toBe(1);
  }
});

test('a driver that closes the link is ended', async () => {
  const link = await openScriptLink();
  const script = "require('fs').closeSync(3); for (;;);";
  await expect(link.run(helpers + script)).rejects.toMatchObject({ code: 'driver_crashed' });
  expect(await link.run('return 1')).toBe(1);
});

test.each([
  'null',
  '7',
  "'x'",
  '[]',
  '{}',
  "{ type: 'reply' }",
  "{ type: 'reply', id: 99 }",
  "{ type: 'reply', id: '1' }",
  "{ type: 'failed', id: -1 }",
  "{ type: 'ended', id: 5 }",
  "{ type: 'ended', id: NaN }",
  "{ type: 'log' }",
  "{ type: 'log', entry: { level: 'fatal', message: 'x' } }",
  "{ type: 'log', entry: { level: 'info', message: 7 } }",
  "{ type: 'stage', stage: 'done' }",
])(
  'a driver that writes the message %s to the link is stopped, and the app keeps running',
  async (message) => {
    const link = await openScriptLink();
    const write = writeMessage(message);
    await expect(link.run(`${helpers} ${write} await new Promise(() => {});`)).rejects.toMatchObject({
      code: 'driver_crashed',
      message: expect.stringMatching(
        /^The Script driver was stopped because it (wrote an invalid message to the link|called (log|stage) wrongly)/,
      ),
    });
    expect(await link.run('return 1')).toBe(1);
    expect(link.log).toEqual([]);
  },
);

test('late answers, and messages that nobody asked for, are ignored', async () => {
  const link = await openScriptLink();
  const messages = [
    "{ type: 'reply', id: 0 }",
    "{ type: 'ended', id: 1 }",
    "{ type: 'pong' }",
    "{ type: 'wall' }",
  ];
  const sent = messages.map(writeMessage).join('\n');
  expect(await attempt(link, `${sent} return 'sent';`)).toBe('sent');
  expect(await link.run('return memory.calls')).toBe(2);
  expect(link.log).toEqual([]);
});

function writeMessage(message: string): string {
  return `{
    const body = require('v8').serialize(${message});
    const header = Buffer.alloc(4);
    header.writeUInt32LE(body.length);
    require('fs').writeSync(3, Buffer.concat([header, body]));
  }`;
}

const helpers = 'const require = (name) => process.getBuiltinModule(name);\n';

/** The value that the script returns inside the driver's process, or the code of its error, or the error's message. */
async function attempt(link: ScriptLink, script: string): Promise<Json> {
  return link.run(`${helpers} try { return await (async () => { ${script} })(); } catch (error) {
    return error.code ?? error.message; }`);
}

/** No driver in this file dials this address. */
const someServer = { host: '127.0.0.1', port: 1 };

async function createDatabase(): Promise<string> {
  const path = join(await temporaryDirectory(), 'trestle.db');
  const database = new DatabaseSync(path);
  database.exec("CREATE TABLE planets (name TEXT); INSERT INTO planets VALUES ('Earth')");
  database.close();
  return path;
}

import { execFile, spawn } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { probeWall, type SecondWall } from './index.ts';
import { openScriptLink } from './testing/script-link.ts';
import { scriptLinkOptions } from './testing/script-options.ts';
import { temporaryDirectory } from './testing/temporary.ts';
import { deniedCalls } from './walls/denied-calls.ts';
import { seccompFilter } from './walls/seccomp.ts';

const call = { signal: new AbortController().signal, timeoutMs: 20_000 };
const wall = await probeWall(scriptLinkOptions({}, { log: () => {} }), call);
const source = dirname(import.meta.dirname);

test.skipIf(!wall.seccomp)('seccomp applies to every thread of a driver, serial or parallel', async () => {
  for (const concurrency of ['parallel', 'serial'] as const) {
    const link = await openScriptLink({ concurrency });
    const threads = await readdir(`/proc/${link.pid}/task`);
    for (const thread of threads) {
      const status = await readFile(`/proc/${link.pid}/task/${thread}/status`, 'utf8');
      expect(/^Seccomp:\t2$/m.test(status) && /^NoNewPrivs:\t1$/m.test(status)).toBe(true);
    }
  }
});

test('a driver may make no native calls: the driver host gives up that right once it has raised the second wall', async () => {
  const link = await openScriptLink();
  expect(await link.run("return process.permission.has('ffi')")).toBe(false);
  const script = `
    const ffi = process.getBuiltinModule('node:ffi');
    if (!ffi) return [];
    return Object.keys(ffi).filter((name) => typeof ffi[name] === 'function' && name !== 'toString').flatMap((name) => {
      const args = name === 'dlopen' ? [null, {}] : [1n, 1n, 1n];
      try { name === 'DynamicLibrary' ? new ffi[name](null) : ffi[name](...args); return [name]; }
      catch (error) { return error.code === 'ERR_ACCESS_DENIED' ? [] : [name + ': ' + error.message]; } });`;
  expect(await link.run(script)).toEqual([]);
});

test.skipIf(!wall.seccomp)(
  'the kernel refuses access to other processes and to the network, even if Node allows it',
  async () => {
    const folder = await temporaryDirectory();
    const path = join(folder, 'control.sock');
    let reached = 0;
    for (const where of [path, '\0trestle-wall-test', { host: '127.0.0.1', port: 0 }] as const) {
      const server = createServer((socket) => {
        reached++;
        socket.end();
      }).listen(where as never);
      onTestFinished(() => void server.close());
      await new Promise((resolve) => server.once('listening', resolve));
    }
    const victim = spawn('sleep', ['60']);
    onTestFinished(() => void victim.kill());
    const dial = (options: string) => `return await new Promise((resolve, reject) =>
    require('net').connect(${options}).on('connect', () => resolve('open')).on('error', reject))`;
    const { outcomes } = await behindWall(
      { read: [source, folder], write: [folder] },
      {
        'a Unix socket': dial(JSON.stringify({ path })),
        'an abstract socket': dial("{ path: '\\0trestle-wall-test' }"),
        TCP: dial("{ host: '127.0.0.1', port: 1 }"),
        IPv6: dial("{ host: '::1', port: 1 }"),
        UDP: "return await new Promise((resolve, reject) => require('dgram').createSocket('udp4').on('error', reject).bind(0, resolve))",
        'a port':
          "return await new Promise((resolve, reject) => require('net').createServer().on('error', reject).listen(0, resolve))",
        'a listening Unix socket': `return await new Promise((resolve, reject) =>
      require('net').createServer().on('error', reject).listen(${JSON.stringify(join(folder, 'mine.sock'))}, resolve))`,
        'a signal to the parent': 'return process.kill(process.ppid, 0)',
        'a signal to another process': `return process.kill(${victim.pid}, 'SIGKILL')`,
        'a signal to its group': 'return process.kill(0, 0)',
        'a signal to everything': 'return process.kill(-1, 0)',
        'the debugger of another process': `return process._debugProcess(${victim.pid})`,
        'a process': "return require('child_process').spawnSync('true').error.code",
        'the priority of another process': `return require('os').setPriority(${victim.pid}, 19)`,
        'another user': 'return process.setuid(65534)',
        'another program': "return process.execve('/bin/true', ['true'])",
        'a signal to itself': 'return process.kill(process.pid, 0)',
        'a file of its own': `require('fs').writeFileSync(${JSON.stringify(join(folder, 'x'))}, 'x'); return 'written'`,
        'a thread of the pool':
          "return (await require('util').promisify(require('crypto').pbkdf2)('a', 'b', 1, 8, 'sha256')).length",
        'a worker thread': `return await new Promise((resolve, reject) =>
      new (require('worker_threads').Worker)('require("worker_threads").parentPort.postMessage("ran")', { eval: true })
        .on('message', resolve).on('error', reject))`,
        memory: 'return process.memoryUsage().rss > 0 && require("os").cpus().length > 0',
      },
    );
    const refused = 'EPERM';
    expect(outcomes).toEqual({
      'a Unix socket': refused,
      'an abstract socket': refused,
      TCP: refused,
      IPv6: refused,
      UDP: refused,
      'a port': refused,
      'a listening Unix socket': refused,
      'a signal to the parent': refused,
      'a signal to another process': refused,
      'a signal to its group': refused,
      'a signal to everything': refused,
      'the debugger of another process': refused,
      'a process': expect.stringMatching(/EPERM|EACCES/),
      'the priority of another process': expect.stringMatching(/ERR_SYSTEM_ERROR|EPERM|EACCES/),
      'another user': refused,
      'another program': expect.anything(),
      'a signal to itself': true,
      'a file of its own': 'written',
      'a thread of the pool': 8,
      'a worker thread': 'ran',
      memory: true,
    });
    expect([reached, victim.exitCode, victim.signalCode]).toEqual([0, null, null]);
  },
);

test.skipIf(wall.landlock === 0)('the kernel refuses other files, also in the thread pool', async () => {
  const [own, other] = [await temporaryDirectory(), await temporaryDirectory()];
  await writeFile(join(other, 'secret'), 'secret');
  await writeFile(join(own, 'read'), 'text');
  await mkdir(join(own, 'writable'));
  const at = (folder: string, name: string) => JSON.stringify(join(folder, name));
  const { outcomes } = await behindWall(
    { read: [source, own], write: [join(own, 'writable')] },
    {
      'own file': `return require('fs').readFileSync(${at(own, 'read')}, 'utf8')`,
      'own file, asynchronously': `return await require('fs').promises.readFile(${at(own, 'read')}, 'utf8')`,
      'other file': `return require('fs').readFileSync(${at(other, 'secret')}, 'utf8')`,
      'other file, asynchronously': `return await require('fs').promises.readFile(${at(other, 'secret')}, 'utf8')`,
      'other file by a stream': `return await require('fs').createReadStream(${at(other, 'secret')}).toArray()`,
      'other folder': `return require('fs').readdirSync(${JSON.stringify(other)})`,
      'a new link to the other file': `require('fs').symlinkSync(${at(other, 'secret')}, ${at(own, 'writable/link')})`,
      'other file by SQLite': `return new (require('node:sqlite').DatabaseSync)(${at(other, 'secret')}).exec('SELECT 1 FROM sqlite_schema')`,
      'a new file beside the writable folder': `require('fs').writeFileSync(${at(own, 'new')}, '')`,
      'a new file in the writable folder': `require('fs').writeFileSync(${at(own, 'writable/new')}, ''); return 'written'`,
      'the environment of the parent':
        "return require('fs').readFileSync('/proc/' + process.ppid + '/environ')",
      'a home directory': "return require('fs').readdirSync(require('os').homedir())",
    },
  );
  const refused = 'EACCES';
  expect(outcomes).toEqual({
    'own file': 'text',
    'own file, asynchronously': 'text',
    'other file': refused,
    'other file, asynchronously': refused,
    'other file by a stream': refused,
    'other folder': refused,
    'a new link to the other file': refused,
    'other file by SQLite': 'ERR_SQLITE_ERROR',
    'a new file beside the writable folder': refused,
    'a new file in the writable folder': 'written',
    'the environment of the parent': refused,
    'a home directory': refused,
  });
});

test('the seccomp filter exists for the two architectures whose system call numbers are known', () => {
  expect(seccompFilter(7, 'x64')?.length).toBeGreaterThan(800);
  expect(seccompFilter(7, 'arm64')?.length).toBeGreaterThan(800);
  expect(seccompFilter(7, 'riscv64')).toBeUndefined();
});

test.each([
  { arch: 'x64', semop: 65, semtimedop: 220, quotactl: 179 },
  { arch: 'arm64', semop: 193, semtimedop: 192, quotactl: 60 },
])(
  'seccomp refuses semop, quotactl and open_tree, with their variants, and process_mrelease on $arch',
  ({ arch, ...numbers }) => {
    const sameOnBoth = { quotactl_fd: 443, open_tree: 428, open_tree_attr: 467, process_mrelease: 448 };
    const expected = [...Object.values(numbers), ...Object.values(sameOnBoth)];
    expect(deniedCalls(arch)?.always).toEqual(expect.arrayContaining(expected));
  },
);

async function behindWall(
  reach: { read: string[]; write: string[] },
  scripts: Record<string, string>,
): Promise<{ wall: SecondWall; outcomes: Record<string, unknown> }> {
  const read = [
    ...reach.read,
    '/usr',
    '/lib',
    '/lib64',
    '/etc',
    '/proc/self',
    '/proc/stat',
    '/proc/cpuinfo',
    '/proc/meminfo',
    '/sys',
  ];
  const rights = ['fs-read=*', 'fs-write=*', 'net', 'child-process', 'worker', 'ffi'].map(
    (right) => `--allow-${right}`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--permission',
    ...rights,
    join(import.meta.dirname, 'testing', 'walled-process.ts'),
    JSON.stringify({ read, write: reach.write }),
    JSON.stringify(scripts),
  ]);
  return JSON.parse(stdout);
}

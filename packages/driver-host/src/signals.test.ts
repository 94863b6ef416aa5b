import { spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { openScriptLink, type ScriptLink } from './testing/script-link.ts';

const denied = 'ERR_ACCESS_DENIED';

test.each([
  ['process.kill', 'process.kill(PID, 0)'],
  ['its parent', 'process.kill(process.ppid, 0)'],
  ['its process group', 'process.kill(0, 0)'],
  ['every process of the user', 'process.kill(-1, 0)'],
  ['itself', 'process.kill(process.pid, 0)'],
  ['process._kill', 'process._kill(PID, 0)'],
  ['a named import of kill', "(await import('node:process')).kill(PID, 0)"],
  ['the default import of process', "(await import('pro' + 'cess')).default.kill(PID, 0)"],
  ['the module process by require', "require('pro' + 'cess').kill(PID, 0)"],
  ['createRequire', "require('module').createRequire('/')('process').kill(PID, 0)"],
  ['globalThis', "globalThis['pro' + 'cess']['ki' + 'll'](PID, 0)"],
  ['a new context', "require('vm').runInNewContext('process.kill(PID, 0)', { process })"],
  ['this context', "require('vm').runInThisContext('process').kill(PID, 0)"],
  ['the prototype of process', 'Object.getPrototypeOf(process).kill.call(process, PID, 0)', /TypeError/],
  ['the constructor of process', 'new process.constructor().kill(PID, 0)', /TypeError|denied/i],
  [
    'a copy of the descriptors',
    'Object.create(null, Object.getOwnPropertyDescriptors(process)).kill(PID, 0)',
  ],
  ['a redefinition', "Object.defineProperty(process, 'kill', { value: 1 })", /TypeError/],
  ['an assignment', "(() => { 'use strict'; process.kill = () => true; })()", /TypeError/],
  ['a deletion', "(() => { 'use strict'; delete process.kill; })()", /TypeError/],
  ['a Proxy', 'new Proxy(process, {}).kill(PID, 0)'],
  ['Reflect', 'Reflect.apply(process.kill, process, [PID, 0])'],
  ['the debugger of another process', 'process._debugProcess(PID)'],
  ['the end of a debugger', 'process._debugEnd(PID)'],
  [
    'a child process object',
    "new (require('child_process').ChildProcess)().spawn({ file: 'kill', args: [] })",
  ],
  [
    'kill on the handle of a child process object',
    "new (require('child_process').ChildProcess)()._handle.kill(9)",
    /^-3$/,
  ],
  [
    'spawn on the handle of a child process object',
    "new (require('child_process').ChildProcess)()._handle.spawn('/bin/kill', ['kill', 'PID'], undefined, [], [{ type: 'ignore' }], 0)",
  ],
  ['a cluster', "require('cluster').fork()"],
  [
    'a worker of a cluster',
    "new (require('cluster').Worker)({ process: { pid: PID } }).kill()",
    /TypeError|denied|function/i,
  ],
  ['another priority', "require('os').setPriority(PID, 19)"],
  ['another priority by a named import', "(await import('node:os')).setPriority(PID, 19)"],
  ['another user', 'process.setuid(65534)'],
  ['another effective user', 'process.seteuid(65534)'],
  ['another group', 'process.setgid(65534)'],
  ['another effective group', 'process.setegid(65534)'],
  ['other groups', 'process.setgroups([0])'],
  ['the groups of another user', "process.initgroups('nobody', 65534)"],
  ['an internal binding', "process.binding('process_methods')"],
  ['a linked binding', "process._linkedBinding('node_process_methods')"],
  ['a native library', "process.dlopen({ exports: {} }, 'libc.so.6')"],
  ['another program in its place', "process.execve('/bin/kill', ['kill', 'PID'])"],
  [
    'an internal module',
    "require('internal/process/per_thread').wrapProcessMethods()",
    /TypeError|undefined/,
  ],
  [
    'the test runner',
    "for await (const { type, data } of require('node:test').run({ files: ['/bin/kill'] })) if (type === 'test:fail') throw data.details.error.cause;",
  ],
  ['the REPL', "require('repl').start().context.process.kill(PID, 0)"],
  ['a domain', "require('domain').create().run(() => process.kill(PID, 0))"],
  [
    'the async context',
    "new (require('async_hooks').AsyncResource)('X').runInAsyncScope(process.kill, process, PID, 0)",
  ],
  ['an event', "process.emit('SIGTERM', 'SIGTERM') || process.kill(PID, 0)"],
])(
  'a driver cannot signal a process, change its priority or become another user: %s',
  async (_, script, words?: RegExp) => {
    const victim = spawn('sleep', ['60'], { stdio: 'ignore' });
    onTestFinished(() => void victim.kill());
    for (const concurrency of ['parallel', 'serial'] as const) {
      const link = await openScriptLink({ concurrency });
      const outcome = await attempt(link, script.replaceAll('PID', String(victim.pid)));
      if (words) expect(outcome).toMatch(words);
      else expect(outcome).toBe(denied);
      expect(await link.run('return 1')).toBe(1);
    }
    expect([victim.exitCode, victim.signalCode]).toEqual([null, null]);
  },
);

async function attempt(link: ScriptLink, script: string): Promise<unknown> {
  return link.run(`const require = (name) => process.getBuiltinModule(name);
    try { return String(await (async () => { ${script.includes(';') ? script : `return (${script})`} })()); } catch (error) {
    return error.code === '${denied}' ? error.code : String(error); }`);
}

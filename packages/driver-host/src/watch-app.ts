import { Worker } from 'node:worker_threads';

/**
 * Ends this process when the app is gone. A call may block the event loop, which then cannot see that the link
 * has closed, so a thread watches the app. With `endsWithApp`, the kernel ends the process when the app is gone, and no
 * thread is needed. Must run before the driver is imported: the right to start threads is dropped here.
 */
export function watchApp({ endsWithApp }: { endsWithApp: boolean }): void {
  if (!process.permission?.has('worker')) return;
  if (!endsWithApp) startThread();
  process.permission.drop('worker');
}

function startThread(): void {
  new Worker(watch, {
    eval: true,
    workerData: process.ppid,
    env: {},
    // A thread does not inherit the permission model of its process. The driver can reach the thread's message port, so
    // the thread gets no rights.
    execArgv: ['--permission', '--no-experimental-sqlite', '--no-experimental-ffi'],
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 },
  }).unref();
}

/** On Windows `process.ppid` stays the same after the parent exits. Elsewhere the process gets a new parent. */
const watch = `
const { workerData: app } = require('node:worker_threads');
const isGone = () => {
  if (process.ppid !== app) return true;
  try {
    return !process.kill(app, 0);
  } catch (error) {
    return error.code === 'ESRCH';
  }
};
setInterval(() => {
  if (isGone()) process.kill(process.pid, 'SIGKILL');
}, 500);
`;

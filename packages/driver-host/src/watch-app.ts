import { Worker } from 'node:worker_threads';

/**
 * Ends this process when the app is gone, also while a call keeps the event loop from seeing that the link has
 * closed. Must run before the driver is imported: what it uses is given up here, so that a driver has no threads.
 */
export function watchApp(): void {
  if (!process.permission?.has('worker')) return;
  new Worker(watch, {
    eval: true,
    workerData: process.ppid,
    env: {},
    // A thread does not inherit the process's limits, and a driver can reach its port: it gets no rights at all.
    execArgv: ['--permission', '--no-experimental-sqlite', '--no-experimental-ffi'],
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 },
  }).unref();
  process.permission.drop('worker');
}

/** Windows keeps the number of a parent that is gone; elsewhere the process gets another parent. */
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

import { execFile } from 'node:child_process';
import { accessSync, constants, readdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isAppError } from '@trestle/core';
import type { AppStatus } from './control/app-commands.ts';
import { callRunningApp, notRunning } from './control/client.ts';
import type { OperationResult } from './control/core-operations.ts';
import { installFolder } from './install-folder.ts';
import { waitingWords } from './waiting-words.ts';

export interface Check {
  name: string;
  /** Null: neither good nor bad. For example, Trestle is not running, or this machine lacks seccomp or Landlock. */
  ok: boolean | null;
  detail: string;
}

/** Checks the app first. Then the bridge checks its own way to the app. */
export async function examineApp(options: {
  dist: string;
  dataDirectory: string;
  /** Gets the facts for the core checks, from the running app or, if no app runs, from the core itself. */
  look: () => Promise<OperationResult<'doctor.look'>>;
}): Promise<Check[]> {
  const { dist, dataDirectory, look } = options;
  const folder = dataDirectoryCheck(dataDirectory);
  const status = (await callRunningApp(dataDirectory, 'status').catch((error: Error) => error)) as
    | AppStatus
    | typeof notRunning
    | Error;
  // No core checks if the folder is missing or has a problem: they could create the folder or change its mode.
  // The same goes for a folder without trestle.db: the core would create the file.
  const isNew = folder.ok && status === notRunning && !hasDatabase(dataDirectory);
  // An app that gives no status would probably not answer the core checks either.
  const canLook = folder.ok && !(status instanceof Error);
  const inside = isNew ? [notYet] : canLook ? await coreChecks(look) : [];
  return [folder, ...appChecks(status, dist), ...inside, ...(await bridgeChecks(dist))];
}

const notYet: Check = {
  name: 'storage',
  ok: null,
  detail: 'trestle.db does not exist yet. Starting Trestle makes it.',
};

/** Also true if only another file of the database is left, such as `trestle.db-wal`. */
function hasDatabase(dataDirectory: string): boolean {
  return readdirSync(dataDirectory).some((name) => name.startsWith('trestle.db'));
}

function dataDirectoryCheck(path: string): Check {
  const name = 'data directory';
  try {
    const stats = statSync(path);
    if (!stats.isDirectory()) return { name, ok: false, detail: `${path} is not a folder` };
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(path);
    const free = Math.floor((bavail * bsize) / 1024 ** 2);
    if (free < leastFreeMegabytes) {
      return { name, ok: false, detail: `${path} has ${free} MB left. Make room on its disk.` };
    }
    if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
      return {
        name,
        ok: false,
        detail: `${path} is open to other users. Starting Trestle changes that.`,
      };
    }
    return { name, ok: true, detail: path };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') {
      return { name, ok: null, detail: `${path} does not exist yet. Starting Trestle makes it.` };
    }
    return {
      name,
      ok: false,
      detail: `${path} cannot be used (${code}). This user must be able to read and write it.`,
    };
  }
}

const leastFreeMegabytes = 20;

function appChecks(status: AppStatus | typeof notRunning | Error, dist: string): Check[] {
  if (status instanceof Error) return [refusedCheck(status)];
  if (status === notRunning) {
    const detail = 'not running. The first call of an AI client starts it; `trestle start` does too.';
    return [{ name: 'app', ok: null, detail }];
  }
  const isOther = status.folder !== installFolder(dist);
  const of = isOther
    ? `the copy in ${status.folder} runs, Trestle ${status.version}`
    : `Trestle ${status.version} runs`;
  const { mcpPort: port, mcpProblem: problem } = status;
  return [
    { name: 'app', ok: true, detail: `${of}, process ${status.pid}` },
    { name: 'window port', ok: true, detail: status.uiAddress },
    {
      name: 'MCP port',
      ok: port !== null && problem === null,
      detail:
        port !== null
          ? `127.0.0.1:${port}${problem ? `. ${problem}.` : ''}`
          : problem !== null
            ? `${problem}. See the log in ${status.dataDirectory}/logs.`
            : `${status.mcpState}. Turn Enable MCP Server on in Settings → Integrations.`,
    },
    logCheck(status),
    // Null: a question is no fault.
    ...(status.questions > 0
      ? [{ name: 'questions', ok: null, detail: waitingWords(status.questions) }]
      : []),
  ];
}

/** The running app gave no status. For example, the file of the control secret was deleted. */
function refusedCheck({ message, hint }: Error & { hint?: string }): Check {
  return {
    name: 'app',
    ok: false,
    detail: `gives no status: ${message}.${hint ? ` ${hint}` : ''}`,
  };
}

function logCheck({ logProblem, dataDirectory }: AppStatus): Check {
  const detail = logProblem
    ? `cannot be written: ${logProblem}. Calls of clients are refused until Trestle can write to ${dataDirectory}.`
    : 'every call is logged';
  return { name: 'activity log', ok: !logProblem, detail };
}

async function coreChecks(look: () => Promise<OperationResult<'doctor.look'>>): Promise<Check[]> {
  try {
    const { secrets, drivers, missing, wall } = await look();
    return [
      {
        name: 'secrets',
        ok: true,
        detail:
          secrets.store === 'keychain'
            ? "in the system's keychain"
            : // The error of a module that cannot be loaded has many lines.
              `in an encrypted file, not in the system's keychain: ${secrets.reason?.split('\n')[0]}`,
      },
      {
        name: 'drivers',
        ok: missing.length === 0,
        detail:
          missing.length === 0
            ? drivers.join(', ')
            : `${drivers.join(', ')}. Missing: ${missing.join(', ')}. Install them in Settings → Plugins.`,
      },
      wallCheck(wall),
    ];
  } catch (error) {
    const { message } = error as Error;
    const hint = isAppError(error) ? error.hint : undefined;
    return [
      { name: 'storage', ok: false, detail: hint ? `${message.replace(/\.$/, '')}. ${hint}` : message },
    ];
  }
}

/** Without the second wall, `ok` is null, not false, because nothing is broken. */
function wallCheck({ seccomp, landlock }: OperationResult<'doctor.look'>['wall']): Check {
  const held = [...(seccomp ? ['seccomp'] : []), ...(landlock > 0 ? [`Landlock ${landlock}`] : [])];
  const own = "each driver runs in its own process, under Node's permission model";
  const lacking =
    process.platform === 'linux'
      ? 'This machine lacks seccomp or Landlock, the second wall.'
      : 'The second wall, seccomp and Landlock, exists only on Linux.';
  return held.length === 2
    ? { name: 'driver walls', ok: true, detail: `${own}, ${held.join(' and ')}` }
    : {
        name: 'driver walls',
        ok: null,
        detail: `${[own, ...held].join(', ')}. ${lacking}`,
      };
}

/** Runs the bridge, which checks its own way to the app. */
async function bridgeChecks(dist: string): Promise<Check[]> {
  const args = ['--disable-sigusr1', join(dist, 'trestle-mcp.cjs'), '--doctor', '--json'];
  const text = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { timeout: 30_000 }, (_, stdout) => resolve(stdout));
  });
  try {
    return (JSON.parse(text) as { checks: Check[] }).checks;
  } catch {
    return [{ name: 'bridge', ok: false, detail: 'trestle-mcp did not answer. Install Trestle again.' }];
  }
}

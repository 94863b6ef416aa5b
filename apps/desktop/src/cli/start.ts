import { AppError } from '@trestle/core';
import { buildId } from '../build-id.ts';
import { keepCompiledCode } from '../compile-cache.ts';
import type { AppStatus, DisplayEnvironment, OpenOutcome, PrintedEntry } from '../control/app-commands.ts';
import { callRunningApp, notRunning } from '../control/client.ts';
import { openDataDirectory } from '../data-directory.ts';
import { hasDisplay, recoverDesktopEnvironment } from '../desktop-environment.ts';
import { installFolder } from '../install-folder.ts';
import { claimInstance } from '../single-instance.ts';
import type { Shown } from '../window.ts';
import { isFull, outputFull } from './output-full.ts';
import { asTyped } from './own-command.ts';
import { parse } from './parse.ts';
import { stopEarlierBuild } from './replace-build.ts';
import type { CommandContext } from './run-command.ts';

const help = `Usage: trestle [start] [--no-window]

Runs Trestle in the foreground until Ctrl-C, SIGTERM or \`trestle stop\`, or until the terminal is closed. If Trestle
already runs, opens its window or brings it to the front. Without a display, prints a link. If the running Trestle is
an earlier build of this copy, it is stopped first.

  --no-window   open no window, and print a link`;

export async function execute({ args, dist }: CommandContext): Promise<number> {
  const parsed = parse(args, help, { 'no-window': { type: 'boolean' } });
  if (!parsed) return 0;
  const wantsWindow = !parsed.values['no-window'];
  const dataDirectory = openDataDirectory();
  const build = buildId(dist);
  const claimIt = () =>
    claimInstance(dataDirectory, {
      onWait: () => say('Waiting for another Trestle process …'),
    });
  let claim = await claimIt();
  if (!claim.owner && (await stopEarlierBuild(dataDirectory, { dist, build, say }))) claim = await claimIt();
  if (!claim.owner) return handOver(dataDirectory, { dist, wantsWindow });

  await sayFirst('Starting Trestle …');
  const signalled = Promise.withResolvers<string>();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, signalled.resolve);
  keepCompiledCode(dataDirectory, dist);
  const { startApp } = await import('../app.ts');
  const app = startApp({ dist, dataDirectory, build, lock: claim.lock, say });
  void signalled.promise.then(app.stop);
  const opening = app.ready.then(async (ready) => {
    const shown = ready && (wantsWindow ? await ready.showWindow(process.env) : 'nothing');
    if (shown) say(startedLine(shown, ready.printEntry()));
    return app.stopped;
  });
  // A start that hangs must not block the stop.
  const code = await Promise.race([opening, app.stopped]);
  say(
    code === 0
      ? 'Trestle has stopped.'
      : `Trestle has stopped on an error; see the log in ${dataDirectory}/logs.`,
  );
  // A handle that was left open must not keep a closed app alive.
  setTimeout(() => process.exit(code), 200).unref();
  return code;
}

/**
 * Another app runs already. It brings its window to the front, or opens one on this launch's screen. Without a screen,
 * or with --no-window, this launch prints a link.
 */
async function handOver(
  dataDirectory: string,
  { dist, wantsWindow }: { dist: string; wantsWindow: boolean },
): Promise<number> {
  const running = (await ask(dataDirectory, 'status')) as AppStatus;
  if (running.folder !== undefined && running.folder !== installFolder(dist)) {
    say(
      `Another copy of Trestle is already running: ${running.folder}, version ${running.version}. It is used.`,
    );
  }
  // A bridge that found no handshake may have started this process. So the running app is asked to write its handshake
  // again. An earlier version may not know `announceMcp`, so the error is ignored.
  await callRunningApp(dataDirectory, 'announceMcp').catch(() => {});
  const env = { ...process.env, ...(await recoverDesktopEnvironment()) };
  if (wantsWindow && hasDisplay(env)) {
    const outcome = (await ask(dataDirectory, 'open', displayOf(env))) as OpenOutcome;
    const hasWindow = outcome.shown === 'window';
    say(
      hasWindow ? 'Trestle is already running, and its window is open.' : startedLine(outcome.shown, outcome),
    );
  } else say(startedLine('nothing', (await ask(dataDirectory, 'link')) as PrintedEntry));
  return 0;
}

async function ask(dataDirectory: string, command: string, input: unknown = null): Promise<unknown> {
  const answer = await callRunningApp(dataDirectory, command, input);
  if (answer !== notRunning) return answer;
  throw new AppError({
    code: 'internal',
    message: 'Trestle stopped meanwhile',
    hint: 'Run the command again to start it.',
  });
}

function displayOf(env: NodeJS.ProcessEnv): DisplayEnvironment {
  const { DISPLAY, WAYLAND_DISPLAY, XAUTHORITY, XDG_RUNTIME_DIR } = env;
  return { DISPLAY, WAYLAND_DISPLAY, XAUTHORITY, XDG_RUNTIME_DIR };
}

function startedLine(shown: Shown, { address, link, code }: PrintedEntry): string {
  const once = 'works once, within 10 minutes';
  if (shown === 'window') return `Trestle is running at ${address}`;
  if (shown === 'browser') {
    return `Trestle is running at ${address} (if the page asks for a code, type ${code}; it ${once})`;
  }
  return `Trestle is running. Open ${link} or, on an open page, type the code ${code} (each ${once})`;
}

/**
 * Prints the first line. Throws if the disk of the output is full, because a link printed later would be lost. Other
 * errors of the output, and later errors, are ignored: the app must continue if nobody reads its output.
 */
async function sayFirst(line: string): Promise<void> {
  const full = Promise.withResolvers<NodeJS.ErrnoException | undefined>();
  process.stdout.removeAllListeners('error').on('error', full.resolve);
  process.stderr.removeAllListeners('error').on('error', () => {});
  say(line);
  setImmediate(() => full.resolve(undefined));
  const error = await full.promise;
  if (error && isFull(error)) throw outputFull(error);
}

function say(line: string): void {
  process.stdout.write(`${asTyped(line)}\n`);
}

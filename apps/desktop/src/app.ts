import { join } from 'node:path';
import { defaultSettings } from '@trestle/core';
import { superviseMcpServer } from '@trestle/mcp-server';
import { createAsking } from './asking.ts';
import { listClients } from './client-list.ts';
import { createClientTally } from './client-tally.ts';
import { type Closer, createCloser } from './closer.ts';
import { appCommands, type PrintedEntry } from './control/app-commands.ts';
import { serveControl } from './control/server.ts';
import type { InstanceLock } from './instance-lock.ts';
import { type Logger, type LogLimit, openLog, trimLogs } from './log.ts';
import { openCore } from './open-core.ts';
import { createPresence } from './presence.ts';
import { openSamples } from './samples/samples.ts';
import { createTableOpener } from './table-opener.ts';
import { serveUi, type UiServer } from './ui-server/server.ts';
import { version } from './version.ts';
import { createWindow, type Shown } from './window.ts';

interface App {
  /** Null if the app was stopped before it was ready. */
  readonly ready: Promise<ReadyApp | null>;
  stop(reason: string): void;
  /** Resolves with the exit code when everything is closed, or when the time for closing is over. */
  readonly stopped: Promise<number>;
}

interface ReadyApp {
  /** Creates a link and a code that admit a browser. */
  printEntry(): PrintedEntry;
  showWindow(env: NodeJS.ProcessEnv): Promise<Shown>;
}

interface Options {
  dist: string;
  dataDirectory: string;
  build: string;
  lock: InstanceLock;
  say: (line: string) => void;
}

/** The maximum time of a stop: half of it for `doors`, the other half for `base`. */
const stopMs = 2_000;

/** Starts the app. The app can be stopped before it is ready. */
export function startApp(options: Options): App {
  const logLimit = { megabytes: defaultSettings.logsMegabytes };
  const log = openLog(options.dataDirectory, logLimit);
  log.info({ version, node: process.versions.node }, 'starting');
  const base = createCloser();
  base.add('lock', () => options.lock.release());
  const doors = createCloser();
  const stopping = new AbortController();
  const stopped = Promise.withResolvers<number>();
  const stop = (reason: string, code = 0) => {
    if (stopping.signal.aborted) return;
    log.info({ reason }, 'stopping');
    stopping.abort();
    void close(code);
  };
  async function close(code: number): Promise<void> {
    const outcomes = [await doors.close(log, stopMs / 2), await base.close(log, stopMs / 2)];
    const clean = !outcomes.includes(false);
    log.info({ clean }, 'closed');
    stopped.resolve(clean ? code : 1);
  }
  const crash = (error: unknown) => {
    log.fatal({ err: error }, 'unexpected error');
    stop('an unexpected error', 1);
  };
  process.on('uncaughtException', crash).on('unhandledRejection', crash);

  const ready = openParts({ ...options, log, logLimit, base, doors, stop, stopping: stopping.signal }).catch(
    async (error: unknown) => {
      if (stopping.signal.aborted) return null;
      log.fatal({ err: error }, 'could not start');
      stopping.abort();
      await close(1);
      throw error;
    },
  );
  return { ready, stop, stopped: stopped.promise };
}

interface Starting extends Options {
  log: Logger;
  logLimit: LogLimit;
  /** Closed last: the core and the instance lock. */
  base: Closer;
  /** Closed first: the listeners, the window, and other parts that use the core. */
  doors: Closer;
  stop(reason: string): void;
  stopping: AbortSignal;
}

/** Opens the parts of the app. Parts that are opened later are closed earlier. */
async function openParts(options: Starting): Promise<ReadyApp> {
  const { dist, dataDirectory, log, base, doors, stop, stopping } = options;
  const core = await openCore({
    dist,
    dataDirectory,
    log,
    signal: stopping,
    // Called before `openCore` returns, because the app may be told to stop while a registry is loading.
    opened: (opened) => base.add('core', () => opened.close()),
  });
  if (core.damage.found) options.say(core.damage.found);
  const limitLog = () => {
    options.logLimit.megabytes = core.settings.get().logsMegabytes;
    trimLogs(dataDirectory, options.logLimit);
  };
  limitLog();
  core.events.on(({ type }) => {
    if (type === 'settingsChanged') limitLog();
  });
  const reportError = (error: unknown, where: string) => log.error({ err: error, where }, 'unexpected error');
  // Created before the MCP server, because a client may call while the other parts are still opening.
  const asking = createAsking(core, (error) => reportError(error, 'window'));
  doors.add('asking', () => asking.close());
  // Runs in the background, because the network may be slow or missing. The registry's status reports a failure.
  core.drivers.refresh({ signal: stopping }).catch(() => {});
  const samples = await openSamples(core, { dist, dataDirectory, log });
  doors.add('samples', () => samples.close());

  const tally = createClientTally(core);
  const tables = createTableOpener();
  const mcp = await superviseMcpServer({
    core,
    home: dataDirectory,
    appVersion: version,
    log: (message) => log.info(message),
    openTable: tables.open,
    signal: stopping,
  });
  doors.add('MCP server', () => mcp.close());

  let hasShown = false;
  const quitIfUnused = () => {
    if (stopping.aborted || !hasShown || window.isOpen() || presence.count() > 0) return;
    hasShown = false;
    if (core.settings.get().mcpEnabled) {
      options.say('The window is closed. Trestle keeps running for AI clients; `trestle stop` ends it.');
    } else stop('the window was closed');
  };
  const presence = createPresence({
    onFirst: asking.pageOpened,
    onLastGone(since) {
      asking.pagesGone(since);
      quitIfUnused();
    },
  });

  const ui: UiServer = await serveUi({
    folder: join(dist, 'ui'),
    onEntered: (door) => log.info({ door }, 'a window was admitted'),
    context: {
      core,
      app: {
        version,
        dataDirectory,
        mcp: () => mcp.status(),
        clients: () => listClients(mcp.clients(), tally()),
        tryPreferredMcpPort: () => mcp.tryPreferredPort(),
        quit: () => stop('quit from the window'),
        endWindows: () => ui.endWindows(),
        pageOpened: presence.pageOpened,
        onOpenTable: tables.on,
        resetSample: samples.reset,
        sampleSearches: samples.searches,
        sampleQuerySets: samples.querySets,
        reportError,
      },
    },
  });
  doors.add('window listener', () => ui.close());

  const window = createWindow({
    dataDirectory,
    address: ui.address,
    createLink: (more) => ui.createLink('window', more),
    onClosed: quitIfUnused,
    log,
  });
  doors.add('window', () => window.close());
  const showWindow = async (env: NodeJS.ProcessEnv) => {
    const shown = await window.show(env);
    hasShown ||= shown !== 'nothing';
    asking.shown(env, shown);
    return shown;
  };
  asking.attach({ show: showWindow, isOpen: window.isOpen });
  // If a page is open in another browser, that page shows the table, and no window is opened.
  tables.attach(async (hasPage) =>
    hasPage && !window.isOpen() ? true : (await asking.show()) !== 'nothing',
  );

  const printEntry = () => ({
    address: ui.address,
    link: ui.createLink('link'),
    code: ui.createCode(),
  });
  const { build } = options;
  const commands = appCommands({
    core,
    samples,
    ui,
    printEntry,
    mcp,
    dataDirectory,
    build,
    showWindow,
    stop,
  });
  const control = await serveControl(dataDirectory, commands);
  doors.add('control socket', () => control.close());
  log.info({ address: ui.address, mcp: mcp.status() }, 'started');
  return { printEntry, showWindow };
}

import { join } from 'node:path';
import { superviseMcpServer } from '@trestle/mcp-server';
import { createAsking } from './asking.ts';
import { listClients } from './client-list.ts';
import { createClientTally } from './client-tally.ts';
import { closeWithin, createCloser } from './closer.ts';
import { appCommands, type PrintedEntry } from './control/app-commands.ts';
import { serveControl } from './control/server.ts';
import type { InstanceLock } from './instance-lock.ts';
import { openLog } from './log.ts';
import { openCore } from './open-core.ts';
import { createPresence } from './presence.ts';
import { openSamples } from './samples/samples.ts';
import { createTableOpener } from './table-opener.ts';
import { serveUi, type UiServer } from './ui-server/server.ts';
import { version } from './version.ts';
import { createWindow, type Shown } from './window.ts';

export interface App {
  /** A fresh link and code. */
  printEntry(): PrintedEntry;
  showWindow(env: NodeJS.ProcessEnv): Promise<Shown>;
  stop(reason: string): void;
  /** Resolves with the exit code once everything is closed. */
  readonly stopped: Promise<number>;
}

/** The whole app, wired on one screen. What is opened later is closed earlier. */
export async function startApp(options: {
  dist: string;
  dataDirectory: string;
  lock: InstanceLock;
  say: (line: string) => void;
}): Promise<App> {
  const { dist, dataDirectory } = options;
  const closer = createCloser();
  closer.add('lock', () => options.lock.release());
  const log = openLog(dataDirectory);
  log.info({ version, node: process.versions.node }, 'starting');
  const stopped = Promise.withResolvers<number>();
  let isStopping = false;
  const stop = (reason: string, code = 0) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ reason }, 'stopping');
    void closeWithin(closer, 10_000, log).then((clean) => stopped.resolve(clean ? code : 1));
  };
  const crash = (error: unknown) => {
    log.fatal({ err: error }, 'unexpected error');
    stop('an unexpected error', 1);
  };
  process.on('uncaughtException', crash).on('unhandledRejection', crash);

  try {
    const core = await openCore({ dist, dataDirectory, log });
    closer.add('core', () => core.close());
    // Before the MCP server: a client that starts the app may ask at once.
    const asking = createAsking(core);
    closer.add('asking', () => asking.close());
    const reading = new AbortController();
    closer.add('registry', () => reading.abort());
    // In the background: the network may be slow or absent, and the status tells of a failure.
    core.drivers.refresh({ signal: reading.signal }).catch(() => {});
    const samples = await openSamples(core, { dist, dataDirectory, log });
    closer.add('samples', () => samples.close());

    const tally = createClientTally(core);
    const tables = createTableOpener();
    const mcp = await superviseMcpServer({
      core,
      home: dataDirectory,
      appVersion: version,
      log: (message) => log.info(message),
      openTable: tables.open,
    });
    closer.add('MCP server', () => mcp.close());

    let hasShown = false;
    const quitIfUnused = () => {
      if (isStopping || !hasShown || window.isOpen() || presence.count() > 0) return;
      hasShown = false;
      if (core.settings.get().mcpEnabled) {
        options.say('The window is closed. Trestle runs on for AI clients; `trestle stop` ends it.');
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
      onEntered: (door) => log.info({ door }, 'a window came in'),
      context: {
        core,
        app: {
          version,
          dataDirectory,
          mcp: () => mcp.status(),
          clients: () => listClients(mcp.clients(), tally()),
          quit: () => stop('quit from the window'),
          endWindows: () => ui.endWindows(),
          pageOpened: presence.pageOpened,
          onOpenTable: tables.on,
          resetSample: samples.reset,
          reportError: (error, where) => log.error({ err: error, where }, 'unexpected error'),
        },
      },
    });
    closer.add('window listener', () => ui.close());

    const window = createWindow({
      dataDirectory,
      address: ui.address,
      createLink: (more) => ui.createLink('window', more),
      onClosed: quitIfUnused,
      log,
    });
    closer.add('window', () => window.close());
    const showWindow = async (env: NodeJS.ProcessEnv) => {
      const shown = await window.show(env);
      hasShown ||= shown !== 'nothing';
      asking.shown(env, shown);
      return shown;
    };
    asking.attach({ show: showWindow, isOpen: window.isOpen });
    // A page in a browser somewhere else is enough.
    tables.attach(async (hasPage) =>
      hasPage && !window.isOpen() ? true : (await asking.show()) !== 'nothing',
    );

    const printEntry = () => ({
      address: ui.address,
      link: ui.createLink('link'),
      code: ui.createCode(),
    });
    const commands = appCommands({ core, samples, ui, printEntry, mcp, dataDirectory, showWindow, stop });
    const control = await serveControl(dataDirectory, commands);
    closer.add('control socket', () => control.close());
    log.info({ address: ui.address, mcp: mcp.status() }, 'started');
    return {
      printEntry,
      showWindow,
      stop,
      stopped: stopped.promise,
    };
  } catch (error) {
    log.fatal({ err: error }, 'could not start');
    await closer.close(log);
    throw error;
  }
}

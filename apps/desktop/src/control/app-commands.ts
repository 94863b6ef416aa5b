import { AppError, type Core } from '@trestle/core';
import { z } from 'zod';
import type { AppInfo } from '../api/app-info.ts';
import { installFolder } from '../install-folder.ts';
import type { Samples } from '../samples/samples.ts';
import type { UiServer } from '../ui-server/server.ts';
import { version } from '../version.ts';
import type { Shown } from '../window.ts';
import { isOperation, runOperation } from './core-operations.ts';
import type { HandleCommand } from './server.ts';

export interface AppStatus {
  state: 'running';
  pid: number;
  version: string;
  uiAddress: string;
  mcpState: ReturnType<AppInfo['mcp']>['state'];
  mcpPort: number | null;
  /** The port in the settings. Another program may use it. */
  preferredMcpPort: number;
  /** Why the MCP server is not running although it should run, or why it will lose clients. */
  mcpProblem: string | null;
  /** Why history and activity cannot be stored. Calls of clients are refused then. */
  logProblem: string | null;
  /** The message about damaged data that was set aside, until the user dismisses it. */
  damage: string | null;
  /** How many questions of clients wait for the user. */
  questions: number;
  dataDirectory: string;
  /** The folder of this installation. */
  folder: string;
  /** Changes with each build in `folder`. */
  build: string;
}

/** A link and a code for the command line to print. Each admits one browser, once. */
export interface PrintedEntry {
  address: string;
  link: string;
  code: string;
}
export type OpenOutcome = { shown: Shown } & PrintedEntry;

/**
 * The variables that a window needs to find its screen. A second launch of Trestle may be on another screen, so it
 * sends its own values to the running app.
 */
const displayEnvironment = z.strictObject({
  DISPLAY: z.string().optional(),
  WAYLAND_DISPLAY: z.string().optional(),
  XAUTHORITY: z.string().optional(),
  XDG_RUNTIME_DIR: z.string().optional(),
});
export type DisplayEnvironment = z.infer<typeof displayEnvironment>;

/** Removes these values of the app: they must not be mixed with the values that the launch sends. */
const noDisplay = { DISPLAY: undefined, WAYLAND_DISPLAY: undefined, XAUTHORITY: undefined };

/** The socket's commands: the app's own, and the operations on the core. */
export function appCommands(app: {
  core: Core;
  samples: Samples;
  ui: UiServer;
  printEntry(): PrintedEntry;
  mcp: { status: AppInfo['mcp']; announce(): Promise<void> };
  dataDirectory: string;
  build: string;
  showWindow(env: NodeJS.ProcessEnv): Promise<Shown>;
  stop(reason: string): void;
}): HandleCommand {
  const own: Record<string, (input: unknown) => unknown> = {
    status(): AppStatus {
      const mcp = app.mcp.status();
      return {
        state: 'running',
        pid: process.pid,
        version,
        uiAddress: app.ui.address,
        mcpState: mcp.state,
        mcpPort: mcp.state === 'running' ? mcp.port : null,
        preferredMcpPort: app.core.settings.get().mcpPort,
        mcpProblem: mcpProblem(mcp),
        logProblem: app.core.activity.problem(),
        damage: app.core.damage.unread(),
        questions: app.core.approvals.pending().length,
        dataDirectory: app.dataDirectory,
        folder: installFolder(),
        build: app.build,
      };
    },
    async open(input): Promise<OpenOutcome> {
      const shown = await app.showWindow({
        ...process.env,
        ...noDisplay,
        ...displayEnvironment.parse(input),
      });
      return { shown, ...app.printEntry() };
    },
    link: () => app.printEntry(),
    announceMcp: () => app.mcp.announce(),
    // Stops the app after the answer was sent, because stopping closes the socket.
    stop: () => void setImmediate(() => app.stop('trestle stop')),
  };
  return async (command, input, given) => {
    if (Object.hasOwn(own, command)) return own[command]!(input);
    if (isOperation(command)) {
      return runOperation(app.core, command, input, { ...given, resetSample: app.samples.reset });
    }
    throw new AppError({
      code: 'unsupported',
      message: `The running Trestle is version ${version} and does not know this command`,
      hint: 'Stop it with `trestle stop` and try again.',
    });
  };
}

function mcpProblem(mcp: ReturnType<AppInfo['mcp']>): string | null {
  if (mcp.state === 'failed') return mcp.message;
  if (mcp.state !== 'running' || !mcp.unheard) return null;
  const { message, expiresAt } = mcp.unheard;
  return (
    `Clients that start trestle-mcp lose access at ${expiresAt}: ${message}. ` +
    'Fix that. Trestle tries again by itself'
  );
}

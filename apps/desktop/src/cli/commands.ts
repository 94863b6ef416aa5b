import type { Execute } from './run-command.ts';

interface Command {
  usage: string;
  summary: string;
  load(): Promise<{ execute: Execute }>;
}

/** All commands of `trestle`. To add one, add a line here and a file in this folder. */
export const commands: Record<string, Command> = {
  start: {
    usage: 'trestle [start] [--no-window]',
    summary: 'start Trestle, or bring the running one to the front',
    load: () => import('./start.ts'),
  },
  stop: { usage: 'trestle stop', summary: 'stop the running Trestle', load: () => import('./stop.ts') },
  status: {
    usage: 'trestle status [--json]',
    summary: 'say whether Trestle runs, and where',
    load: () => import('./status.ts'),
  },
  connections: {
    usage: 'trestle connections list|add|edit|import|export|remove|test|connect|disconnect|reset',
    summary: 'manage the saved connections',
    load: () => import('./connections.ts'),
  },
  query: {
    usage: 'trestle query CONNECTION TEXT',
    summary: 'run one statement, and show its rows or documents',
    load: () => import('./query.ts'),
  },
  tables: {
    usage: 'trestle tables create CONNECTION NAME',
    summary: 'create a table or collection, like another, from a definition or for a file',
    load: () => import('./tables.ts'),
  },
  import: {
    usage: 'trestle import CONNECTION TABLE FILE',
    summary: 'import the rows of a CSV or JSON file into a table or collection',
    load: () => import('./import.ts'),
  },
  export: {
    usage: 'trestle export CONNECTION TABLE --out FILE',
    summary: 'write the rows of a table or collection to a CSV, JSON or Parquet file',
    load: () => import('./export.ts'),
  },
  copy: {
    usage: 'trestle copy CONNECTION TABLE NAME',
    summary: 'copy a table or collection to another name or connection',
    load: () => import('./copy.ts'),
  },
  plugins: {
    usage: 'trestle plugins list|search|install|update|remove|trust|new|check|pack',
    summary: 'manage the drivers',
    load: () => import('./plugins.ts'),
  },
  tokens: {
    usage: 'trestle tokens create|list|revoke',
    summary: 'manage the tokens of AI clients',
    load: () => import('./tokens.ts'),
  },
  approvals: {
    usage: 'trestle approvals [allow|refuse ID]',
    summary: 'list and answer the waiting questions of AI clients',
    load: () => import('./approvals.ts'),
  },
  passphrase: {
    usage: 'trestle passphrase set',
    summary: 'set the administrator passphrase',
    load: () => import('./passphrase.ts'),
  },
  connect: {
    usage: 'trestle connect [CLIENT] [--write|--undo]',
    summary: 'connect an AI client',
    load: () => import('./connect.ts'),
  },
  update: {
    usage: 'trestle update [--check]',
    summary: 'check for a newer Trestle, and get it if you agree',
    load: () => import('./update.ts'),
  },
  install: {
    usage: 'trestle install',
    summary: 'make this copy open trestle:// links; on Linux, also add it to the menu and to ~/.local/bin',
    load: () => import('./install.ts'),
  },
  uninstall: {
    usage: 'trestle uninstall',
    summary: 'undo what install did; the data stays',
    load: () => import('./uninstall.ts'),
  },
  doctor: {
    usage: 'trestle doctor [--json]',
    summary: 'check everything an AI client needs, and say what to do',
    load: () => import('./doctor.ts'),
  },
};

export function helpText(): string {
  const width = Math.max(...Object.values(commands).map((command) => command.usage.length));
  const lines = Object.values(commands).map(
    (command) => `  ${command.usage.padEnd(width)}  ${command.summary}`,
  );
  return ['Usage:', ...lines, '', 'Each command takes --help.'].join('\n');
}

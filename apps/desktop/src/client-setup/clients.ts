import { type BridgeCommand, commandLine, quoted } from './bridge-command.ts';
import { joined, type Places, settingsFolder, xdgFolder } from './places.ts';

/** The name of Trestle's entry in a client's configuration. */
export const serverName = 'trestle';

type ConfigFormat =
  | 'json'
  /** JSON with comments and trailing commas. */
  | 'jsonc'
  | 'yaml'
  /** A YAML file for this one server. */
  | 'yamlFile'
  /** Trestle shows the entry but does not write it, because it has no TOML library that keeps comments. */
  | 'toml';

export interface ClientConfig {
  format: ConfigFormat;
  /** The top-level key of the servers. */
  key: string;
  /** A client without a file has a dialog for its servers. */
  file?(places: Places): string;
  /** The file of one project, if the client has such files in addition to `file`. */
  workspaceFile?(places: Places): string;
  entry(bridge: BridgeCommand): Record<string, unknown>;
  /** The entry's key for the program's environment. Defaults to `env`. */
  environmentKey?: string;
}

/** Trestle's entry. `home` is the data directory, if it is not the default. */
export function entryOf(
  config: ClientConfig,
  bridge: BridgeCommand,
  home: string | undefined,
): Record<string, unknown> {
  const entry = config.entry(bridge);
  if (home === undefined) return entry;
  return { ...entry, [environmentKeyOf(config)]: { TRESTLE_HOME: home } };
}

/** The file that `--write` changes by default. Null if the client has no file that can be edited safely. */
export function writableFile({ format, file }: ClientConfig, places: Places): string | null {
  return format === 'toml' ? null : (file?.(places) ?? null);
}

export function environmentKeyOf({ environmentKey = 'env' }: ClientConfig): string {
  return environmentKey;
}

export interface Client {
  id: string;
  label: string;
  /** Matches the name that the client sends when it connects. Any program can send that name, so never trust it. */
  callsItself: RegExp;
  /** How the user opens the file or dialog. The path of the file, if any, is added at the end. */
  open: string;
  /** How to make the client read the change, or how to see that the client has read it. */
  afterwards: string;
  config: ClientConfig;
  /** A command that registers the bridge without opening a file. */
  command?(bridge: BridgeCommand, home?: string): string;
  /** A command that lists the registered servers. */
  verify?: string;
}

const command = ({ command, args }: BridgeCommand) => ({ command, ...(args.length > 0 && { args }) });

/** On macOS Zed ignores XDG_CONFIG_HOME (crates/paths/src/paths.rs of Zed). */
function zedSettings(places: Places): string {
  if (places.platform === 'darwin') return joined(places, places.home, '.config', 'zed', 'settings.json');
  return settingsFolder(places, places.platform === 'win32' ? 'Zed' : 'zed', 'settings.json');
}

/** The known clients that start the bridge themselves. A new entry adds a client to the window and the command line. */
export const clients: readonly Client[] = [
  {
    id: 'claude-desktop',
    label: 'Claude Desktop',
    callsItself: /^claude-(ai|desktop)\b/i,
    open: 'In Claude Desktop open Settings → Developer and choose Edit Config, which opens',
    afterwards: 'Quit Claude Desktop and open it again.',
    config: {
      format: 'json',
      key: 'mcpServers',
      file: (places) => settingsFolder(places, 'Claude', 'claude_desktop_config.json'),
      entry: command,
    },
  },
  {
    id: 'claude-code',
    label: 'Claude Code',
    callsItself: /^claude[- ]code\b/i,
    open: 'To have Trestle in every project instead, open',
    afterwards: 'Start Claude Code again; /mcp shows the server.',
    command: (bridge, home) => {
      const environment = home === undefined ? '' : ` -e ${quoted(`TRESTLE_HOME=${home}`)}`;
      return `claude mcp add ${serverName}${environment} -- ${commandLine(bridge)}`;
    },
    verify: 'claude mcp list',
    config: {
      format: 'json',
      key: 'mcpServers',
      file: (places) => joined(places, places.home, '.claude.json'),
      workspaceFile: (places) => joined(places, places.workspace, '.mcp.json'),
      entry: command,
    },
  },
  {
    id: 'cursor',
    label: 'Cursor',
    callsItself: /^cursor\b/i,
    open: 'In Cursor open Settings → Tools & MCP and choose New MCP Server, which opens',
    afterwards: 'Turn the server on in Settings → Tools & MCP.',
    config: {
      format: 'jsonc',
      key: 'mcpServers',
      file: (places) => joined(places, places.home, '.cursor', 'mcp.json'),
      workspaceFile: (places) => joined(places, places.workspace, '.cursor', 'mcp.json'),
      entry: command,
    },
  },
  {
    id: 'zed',
    label: 'Zed',
    callsItself: /^zed\b/i,
    open: 'In Zed run the command "zed: open settings file", which opens',
    afterwards: 'The Agent panel’s settings show a green dot beside the server.',
    config: {
      format: 'jsonc',
      key: 'context_servers',
      file: zedSettings,
      // `args` is optional in the file, but the dialog for a new server asks for it.
      entry: ({ command, args }) => ({ command, args }),
    },
  },
  {
    id: 'vscode',
    label: 'Visual Studio Code',
    callsItself: /^(visual studio code|vscode)\b/i,
    open: 'In Visual Studio Code (1.99 or later) run the command "MCP: Open User Configuration", which opens',
    afterwards: 'Choose Start above the entry. For one project, put the same entry into .vscode/mcp.json.',
    config: {
      format: 'jsonc',
      key: 'servers',
      file: (places) => settingsFolder(places, 'Code', 'User', 'mcp.json'),
      workspaceFile: (places) => joined(places, places.workspace, '.vscode', 'mcp.json'),
      entry: (bridge) => ({ type: 'stdio', ...command(bridge) }),
    },
  },
  {
    id: 'continue',
    label: 'Continue',
    callsItself: /^continue\b/i,
    open: 'In the project’s folder, create the file',
    afterwards: 'Continue reads the folder by itself; MCP works in its agent mode.',
    config: {
      format: 'yamlFile',
      key: 'mcpServers',
      file: (places) => joined(places, places.workspace, '.continue', 'mcpServers', `${serverName}.yaml`),
      entry: (bridge) => ({ name: serverName, type: 'stdio', ...command(bridge) }),
    },
  },
  {
    id: 'goose',
    label: 'Goose',
    callsItself: /^goose\b/i,
    open: 'Open',
    afterwards: 'Start a new session.',
    config: {
      format: 'yaml',
      key: 'extensions',
      file: (places) =>
        places.platform === 'win32'
          ? settingsFolder(places, 'Block', 'goose', 'config', 'config.yaml')
          : xdgFolder(places, 'goose', 'config.yaml'),
      environmentKey: 'envs',
      // Without `name` and `args` Goose ignores the entry as malformed.
      entry: ({ command, args }) => ({
        name: serverName,
        type: 'stdio',
        cmd: command,
        args,
        enabled: true,
        timeout: 300,
      }),
    },
  },
  {
    id: 'codex',
    label: 'Codex CLI',
    callsItself: /^codex\b/i,
    open: 'Or open',
    afterwards: 'Start Codex again; /mcp shows the server.',
    command: (bridge, home) => {
      const environment = home === undefined ? '' : ` --env ${quoted(`TRESTLE_HOME=${home}`)}`;
      return `codex mcp add ${serverName}${environment} -- ${commandLine(bridge)}`;
    },
    verify: 'codex mcp list',
    config: {
      format: 'toml',
      key: 'mcp_servers',
      file: (places) =>
        joined(places, places.env.CODEX_HOME || joined(places, places.home, '.codex'), 'config.toml'),
      entry: command,
    },
  },
  {
    id: 'gemini',
    label: 'Gemini CLI',
    callsItself: /^gemini\b/i,
    open: 'To have Trestle in every project instead, open',
    afterwards: 'Start Gemini CLI again in a folder that it trusts; /mcp shows the server.',
    command: (bridge, home) => {
      const environment = home === undefined ? '' : ` -e ${quoted(`TRESTLE_HOME=${home}`)}`;
      return `gemini mcp add${environment} ${serverName} ${commandLine(bridge)}`;
    },
    verify: 'gemini mcp list',
    config: {
      format: 'jsonc',
      key: 'mcpServers',
      file: (places) => joined(places, places.home, '.gemini', 'settings.json'),
      workspaceFile: (places) => joined(places, places.workspace, '.gemini', 'settings.json'),
      entry: command,
    },
  },
  {
    id: 'opencode',
    label: 'opencode',
    callsItself: /^opencode\b/i,
    open: 'Open',
    afterwards: 'Start opencode again. `opencode mcp list` shows the server.',
    config: {
      format: 'jsonc',
      key: 'mcp',
      file: (places) => xdgFolder(places, 'opencode', 'opencode.json'),
      workspaceFile: (places) => joined(places, places.workspace, 'opencode.json'),
      environmentKey: 'environment',
      entry: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
    },
  },
  {
    id: 'windsurf',
    label: 'Windsurf',
    callsItself: /^windsurf\b/i,
    open: 'In Windsurf open Settings → Cascade → MCP Servers and choose View raw config, which opens',
    afterwards: 'Choose Refresh in the list of MCP servers.',
    config: {
      format: 'json',
      key: 'mcpServers',
      file: (places) => joined(places, places.home, '.codeium', 'windsurf', 'mcp_config.json'),
      entry: command,
    },
  },
  {
    id: 'cline',
    label: 'Cline',
    callsItself: /^cline\b/i,
    open: 'In Cline open MCP Servers → Configure and choose Configure MCP Servers, which opens',
    afterwards: 'Cline reads the file by itself; the server shows a green dot.',
    config: {
      format: 'json',
      key: 'mcpServers',
      file: (places) =>
        settingsFolder(
          places,
          'Code',
          'User',
          'globalStorage',
          'saoudrizwan.claude-dev',
          'settings',
          'cline_mcp_settings.json',
        ),
      entry: (bridge) => ({ ...command(bridge), disabled: false }),
    },
  },
  {
    id: 'jetbrains',
    label: 'JetBrains AI Assistant',
    callsItself: /^(jetbrains|intellij|junie)\b/i,
    open: 'In the IDE open Settings → Tools → AI Assistant → Model Context Protocol (MCP), choose Add, and then As JSON',
    afterwards: 'Choose Apply; the server shows its tools.',
    config: { format: 'json', key: 'mcpServers', entry: command },
  },
];

/** For clients that cannot start a program. */
export const httpClient = { id: 'http', label: 'Another client, over HTTP' } as const;

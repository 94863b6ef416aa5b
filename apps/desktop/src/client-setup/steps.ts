import { stringify } from 'yaml';
import type { BridgeCommand } from './bridge-command.ts';
import { type Client, type ClientConfig, entryOf, serverName } from './clients.ts';
import { homeOf, type Places } from './places.ts';

/** One numbered step. The text to copy is in `snippet`. */
export interface Step {
  text: string;
  snippet?: Snippet;
}

interface Snippet {
  language: 'json' | 'yaml' | 'toml' | 'shell';
  text: string;
}

export function stepsFor(client: Client, bridge: BridgeCommand, places: Places, path?: string): Step[] {
  const { config } = client;
  const usual = config.file?.(places);
  const isUsual = path === undefined || path === usual;
  const steps: Step[] = [];
  if (client.command && isUsual) {
    steps.push({
      // The command of a client without project files registers the bridge for every project.
      text: config.workspaceFile ? 'Run this in the project where you want Trestle.' : 'Run this.',
      snippet: { language: 'shell', text: client.command(bridge, homeOf(places)) },
    });
  }
  if (client.verify && isUsual) {
    steps.push({
      text: 'Check that Trestle is registered.',
      snippet: { language: 'shell', text: client.verify },
    });
  }
  const beside =
    config.format === 'yamlFile' || config.file === undefined
      ? 'Enter this text.'
      : 'Add this next to the existing entries.';
  return [
    ...steps,
    { text: isUsual ? `${[client.open, usual].join(' ').trim()}.` : `Open ${path}, or create it.` },
    { text: beside, snippet: configSnippet(config, bridge, homeOf(places)) },
    { text: usual === undefined ? client.afterwards : `Save the file. ${client.afterwards}` },
    { text: firstCall },
  ];
}

function configSnippet(config: ClientConfig, bridge: BridgeCommand, home?: string): Snippet {
  const entry = entryOf(config, bridge, home);
  if (config.format === 'yamlFile') return { language: 'yaml', text: yamlFile(config.key, entry) };
  if (config.format === 'toml') return { language: 'toml', text: tomlTable(config.key, entry) };
  const whole = { [config.key]: { [serverName]: entry } };
  return config.format === 'yaml'
    ? { language: 'yaml', text: yamlText(whole) }
    : { language: 'json', text: JSON.stringify(whole, null, 2) };
}

/** The entry as a TOML table. TOML can read ordinary JSON strings and lists. */
function tomlTable(key: string, entry: Record<string, unknown>): string {
  const line = ([name, value]: [string, unknown]) => `${name} = ${JSON.stringify(value)}`;
  const { env, ...own } = entry;
  const lines = [`[${key}.${serverName}]`, ...Object.entries(own).map(line)];
  if (env) lines.push('', `[${key}.${serverName}.env]`, ...Object.entries(env).map(line));
  return `${lines.join('\n')}\n`;
}

/** A file for the client Continue, which requires a name, a version and the version of the format. */
export function yamlFile(key: string, entry: Record<string, unknown>): string {
  return yamlText({ name: 'Trestle', version: '1.0.0', schema: 'v1', [key]: [entry] });
}

/** The MCP server's current port, and the port in the settings. */
export interface McpPorts {
  port: number;
  preferred: number;
}

export function httpSteps({ port, preferred }: McpPorts, token: string): Step[] {
  const entry = { url: `http://127.0.0.1:${port}/mcp`, headers: { Authorization: `Bearer ${token}` } };
  return [
    {
      text: 'Add this to the client’s configuration. Some clients also want "type": "streamable-http" in the entry.',
      snippet: { language: 'json', text: JSON.stringify({ mcpServers: { [serverName]: entry } }, null, 2) },
    },
    ...(port === preferred ? [] : [{ text: otherPort(port, preferred) }]),
    {
      text: 'Trestle listens only on this machine. A client on another machine reaches it through an SSH port forward.',
      snippet: { language: 'shell', text: `ssh -L ${port}:127.0.0.1:${port} <this machine>` },
    },
    { text: firstCall },
  ];
}

function otherPort(port: number, preferred: number): string {
  return (
    `Port ${preferred} was taken, so the server listens on ${port} and keeps that port while it can. If another ` +
    'program takes the port, this entry needs the new port. Clients that start trestle-mcp find the port by themselves.'
  );
}

const firstCall =
  'Ask the client to list your database connections. Settings → Integrations shows when its first call arrives.';

function yamlText(value: unknown): string {
  return stringify(value, { lineWidth: 0 });
}

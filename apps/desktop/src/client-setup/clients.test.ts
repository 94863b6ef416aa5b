import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bridgeCommand, quoted } from './bridge-command.ts';
import { clients } from './clients.ts';
import type { Places } from './places.ts';
import { stepsFor } from './steps.ts';

const filesOn = (places: Places) =>
  Object.fromEntries(clients.map(({ id, config }) => [id, config.file?.(places) ?? null]));

test('the path of a client’s file depends on the client, the platform and XDG_CONFIG_HOME', () => {
  expect(filesOn({ platform: 'darwin', home: '/Users/a', env: {}, workspace: '/p' })).toEqual({
    'claude-desktop': '/Users/a/Library/Application Support/Claude/claude_desktop_config.json',
    'claude-code': '/Users/a/.claude.json',
    cursor: '/Users/a/.cursor/mcp.json',
    zed: '/Users/a/.config/zed/settings.json',
    vscode: '/Users/a/Library/Application Support/Code/User/mcp.json',
    continue: '/p/.continue/mcpServers/trestle.yaml',
    goose: '/Users/a/.config/goose/config.yaml',
    codex: '/Users/a/.codex/config.toml',
    gemini: '/Users/a/.gemini/settings.json',
    opencode: '/Users/a/.config/opencode/opencode.json',
    windsurf: '/Users/a/.codeium/windsurf/mcp_config.json',
    cline:
      '/Users/a/Library/Application Support/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
    jetbrains: null,
  });
  const env = { APPDATA: 'C:\\Users\\a\\AppData\\Roaming' };
  expect(filesOn({ platform: 'win32', home: 'C:\\Users\\a', env, workspace: 'C:\\p' })).toEqual({
    'claude-desktop': 'C:\\Users\\a\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
    'claude-code': 'C:\\Users\\a\\.claude.json',
    cursor: 'C:\\Users\\a\\.cursor\\mcp.json',
    zed: 'C:\\Users\\a\\AppData\\Roaming\\Zed\\settings.json',
    vscode: 'C:\\Users\\a\\AppData\\Roaming\\Code\\User\\mcp.json',
    continue: 'C:\\p\\.continue\\mcpServers\\trestle.yaml',
    goose: 'C:\\Users\\a\\AppData\\Roaming\\Block\\goose\\config\\config.yaml',
    codex: 'C:\\Users\\a\\.codex\\config.toml',
    gemini: 'C:\\Users\\a\\.gemini\\settings.json',
    opencode: 'C:\\Users\\a\\.config\\opencode\\opencode.json',
    windsurf: 'C:\\Users\\a\\.codeium\\windsurf\\mcp_config.json',
    cline:
      'C:\\Users\\a\\AppData\\Roaming\\Code\\User\\globalStorage\\saoudrizwan.claude-dev\\settings\\cline_mcp_settings.json',
    jetbrains: null,
  });
  const linux = filesOn({
    platform: 'linux',
    home: '/home/a',
    env: { XDG_CONFIG_HOME: '/x' },
    workspace: '/p',
  });
  expect([linux.zed, linux.vscode, linux.cursor]).toEqual([
    '/x/zed/settings.json',
    '/x/Code/User/mcp.json',
    '/home/a/.cursor/mcp.json',
  ]);
  const xdg = { XDG_CONFIG_HOME: '/x' };
  const mac = filesOn({ platform: 'darwin', home: '/Users/a', env: xdg, workspace: '/p' });
  expect([mac.zed, mac.opencode]).toEqual([
    '/Users/a/.config/zed/settings.json',
    '/x/opencode/opencode.json',
  ]);
});

test('a path with spaces is one word of the command, and needs no quotes in a file', () => {
  const places: Places = { platform: 'darwin', home: '/Users/a', env: {}, workspace: '/p' };
  const code = clients.find(({ id }) => id === 'claude-code')!;
  const path = "/Applications/Ann's Trestle.app/Contents/MacOS/trestle-mcp";
  const bridge = { command: path, args: [] };
  const [command] = stepsFor(code, bridge, places);
  expect(command?.snippet?.text).toBe(
    `claude mcp add trestle -- '/Applications/Ann'\\''s Trestle.app/Contents/MacOS/trestle-mcp'`,
  );
  const entry = stepsFor(code, bridge, places).find(({ snippet }) => snippet?.language === 'json');
  expect(JSON.parse(entry!.snippet!.text)).toEqual({ mcpServers: { trestle: { command: path } } });
});

test('the steps name a project’s file in place of the usual one', () => {
  const places: Places = { platform: 'linux', home: '/home/a', env: {}, workspace: '/p' };
  const code = clients.find(({ id }) => id === 'claude-code')!;
  const words = (path?: string) =>
    stepsFor(code, { command: '/b', args: [] }, places, path).map(({ text }) => text);
  expect(words('/p/.mcp.json')[0]).toBe('Open /p/.mcp.json, or create it.');
  expect(words('/home/a/.claude.json')).toEqual(words());
});

test('Codex gets a command and a TOML table, both with the data directory of TRESTLE_HOME', () => {
  const env = { TRESTLE_HOME: '/data "x"' };
  const places: Places = { platform: 'linux', home: '/home/a', env, workspace: '/p' };
  const codex = clients.find(({ id }) => id === 'codex')!;
  const steps = stepsFor(codex, { command: '/b', args: [] }, places);
  expect(steps[0]?.text).toBe('Run this.');
  expect(steps[0]?.snippet?.text).toBe(`codex mcp add trestle --env 'TRESTLE_HOME=/data "x"' -- /b`);
  const toml = steps.find(({ snippet }) => snippet?.language === 'toml')?.snippet?.text;
  expect(toml).toBe(
    '[mcp_servers.trestle]\ncommand = "/b"\n\n[mcp_servers.trestle.env]\nTRESTLE_HOME = "/data \\"x\\""\n',
  );
});

test('a Windows path is quoted for a Windows shell, and a Unix path with a backslash for a Unix shell', () => {
  const code = clients.find(({ id }) => id === 'claude-code')!;
  const added = (command: string) => code.command?.({ command, args: [] });
  expect(added('/opt/a\\$(b)/trestle-mcp')).toMatch(/ -- '\/opt\/a\\\$\(b\)\/trestle-mcp'$/);
  expect(added('C:\\Program Files\\trestle-mcp.cmd')).toMatch(/ -- "C:\\Program Files/);
  expect(quoted('TRESTLE_HOME=C:\\my data')).toBe('"TRESTLE_HOME=C:\\my data"');
});

test('in a macOS application, the bridge is found from the folder of the built code', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-bridge-path-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const app = join(folder, 'Trestle.app', 'Contents');
  mkdirSync(join(app, 'MacOS'), { recursive: true });
  mkdirSync(join(app, 'Resources', 'dist'), { recursive: true });
  const find = () => bridgeCommand(join(app, 'Resources', 'dist'), 'linux');
  expect(find).toThrow('missing from this install');
  writeFileSync(join(app, 'MacOS', 'trestle-mcp'), '');
  expect(find()).toEqual({ command: join(app, 'MacOS', 'trestle-mcp'), args: [] });
});

test.each([
  ['linux', 'trestle-mcp', { command: 'npx', args: ['-y', 'trestle-mcp'] }],
  ['win32', 'trestle-mcp.cmd', { command: 'cmd', args: ['/c', 'npx', '-y', 'trestle-mcp'] }],
] as const)(
  'on %s a bridge in the cache of npx is registered as an npx command',
  (platform, name, expected) => {
    const folder = mkdtempSync(join(tmpdir(), 'trestle-npx-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const place = join(folder, '_npx', 'b1c2', 'node_modules', 'trestle-mcp');
    for (const part of ['bin', 'dist']) mkdirSync(join(place, part), { recursive: true });
    writeFileSync(join(place, 'bin', name), '');
    const bridge = bridgeCommand(join(place, 'dist'), platform);
    expect(bridge).toEqual(expected);
    const places: Places = { platform, home: '/home/a', env: {}, workspace: '/p' };
    for (const client of clients) {
      const text = JSON.stringify(stepsFor(client, bridge, places));
      expect([client.id, text.includes('_npx'), text.includes('-y')]).toEqual([client.id, false, true]);
    }
  },
);

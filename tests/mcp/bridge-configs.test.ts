import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { parse as parseJsonc } from 'jsonc-parser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { createUserHome, startApp, trestle, trestleMcp, type UserHome } from './bridge-home.ts';
import { textOf } from './read-answer.ts';
import { toolNames } from './running-server.ts';

/*
 * `trestle connect` writes the configuration of a client. The tests parse this file in the client's format, and
 * start the bridge with the command in it.
 */

let home: UserHome;
beforeAll(async () => {
  home = createUserHome();
  await startApp(home);
});
afterAll(() => home.close());

interface Written {
  id: string;
  file: string;
  read(text: string): unknown;
  shape: unknown;
  start(config: never): { command: string; args: string[] };
}

interface Entry {
  command: string;
  args?: string[];
}

const plain = { mcpServers: { trestle: { command: trestleMcp } } };
const start = ({ command, args }: Entry) => ({ command, args: args ?? [] });
const fromMap = (config: typeof plain) => start(config.mcpServers.trestle);

const written: Written[] = [
  {
    id: 'claude-desktop',
    file: '.config/Claude/claude_desktop_config.json',
    read: JSON.parse,
    shape: plain,
    start: fromMap,
  },
  { id: 'claude-code', file: '.claude.json', read: JSON.parse, shape: plain, start: fromMap },
  { id: 'cursor', file: '.cursor/mcp.json', read: JSON.parse, shape: plain, start: fromMap },
  {
    id: 'zed',
    file: '.config/zed/settings.json',
    read: (text) => parseJsonc(text),
    shape: { context_servers: { trestle: { command: trestleMcp, args: [] } } },
    start: (config: { context_servers: { trestle: Entry } }) => start(config.context_servers.trestle),
  },
  {
    id: 'vscode',
    file: '.config/Code/User/mcp.json',
    read: (text) => parseJsonc(text),
    shape: { servers: { trestle: { type: 'stdio', command: trestleMcp } } },
    start: (config: { servers: { trestle: Entry } }) => start(config.servers.trestle),
  },
  {
    id: 'continue',
    file: '.continue/mcpServers/trestle.yaml',
    read: (text) => parseYaml(text),
    shape: expect.objectContaining({
      mcpServers: [{ name: 'trestle', type: 'stdio', command: trestleMcp }],
    }),
    start: (config: { mcpServers: Entry[] }) => start(config.mcpServers[0]!),
  },
  {
    id: 'goose',
    file: '.config/goose/config.yaml',
    read: (text) => parseYaml(text),
    shape: {
      extensions: {
        trestle: expect.objectContaining({ type: 'stdio', cmd: trestleMcp, enabled: true, timeout: 300 }),
      },
    },
    start: (config: { extensions: { trestle: { cmd: string; args: string[] } } }) => {
      const { cmd, args } = config.extensions.trestle;
      return { command: cmd, args };
    },
  },
  {
    id: 'gemini',
    file: '.gemini/settings.json',
    read: (text) => parseJsonc(text),
    shape: plain,
    start: fromMap,
  },
  {
    id: 'opencode',
    file: '.config/opencode/opencode.json',
    read: (text) => parseJsonc(text),
    shape: { mcp: { trestle: { type: 'local', command: [trestleMcp], enabled: true } } },
    start: (config: { mcp: { trestle: { command: string[] } } }) => {
      const [command, ...args] = config.mcp.trestle.command;
      return { command: command!, args };
    },
  },
  {
    id: 'windsurf',
    file: '.codeium/windsurf/mcp_config.json',
    read: JSON.parse,
    shape: plain,
    start: fromMap,
  },
  {
    id: 'cline',
    file: '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
    read: JSON.parse,
    shape: { mcpServers: { trestle: { command: trestleMcp, disabled: false } } },
    start: fromMap,
  },
];

interface Guide {
  steps: { text: string; snippet?: { language: string; text: string } }[];
}

const isHere = process.platform === 'linux';

test.runIf(isHere).each(written)(
  '$id: the written entry starts the bridge, and --undo reports that the entry is removed',
  async (one) => {
    const path = join(home.folder, one.file);
    expect(await home.json('connect', one.id, '--write')).toMatchObject({ outcome: 'written', path });
    const config = one.read(readFileSync(path, 'utf8'));
    expect(config).toEqual(one.shape);
    await expectTools(spawned(one.start(config as never)));

    // The snippet for copying has the same content as the written file.
    const { steps } = await home.json<Guide>('connect', one.id);
    const snippet = steps.find((step) => step.snippet && step.snippet.language !== 'shell')?.snippet;
    expect(one.read(snippet!.text)).toEqual(one.shape);

    expect(await home.json('connect', one.id, '--undo')).toEqual({ outcome: 'removed', path });
  },
);

test.each(['codex', 'jetbrains'])(
  '%s: --write is refused, and the error names the command that prints the configuration',
  async (id) => {
    await expect(home.run('connect', id, '--write')).rejects.toThrow(
      new RegExp(`does not write the configuration of .*connect ${id}. prints`),
    );
  },
);

test.runIf(isHere)(
  'a shell runs the registration line of Claude Code, and the command after "--" starts the bridge',
  async () => {
    const { steps } = await home.json<Guide>('connect', 'claude-code');
    const line = steps[0]?.snippet?.text ?? '';
    expect(line).toBe(`claude mcp add trestle -- ${trestleMcp}`);
    // A stand-in for the command `claude`. It prints its arguments.
    const bin = join(home.folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'claude'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', line], {
      env: { PATH: `${bin}:/usr/bin:/bin` },
    });
    const args = stdout.trimEnd().split('\n');
    expect(args.slice(0, 4)).toEqual(['mcp', 'add', 'trestle', '--']);
    await expectTools(spawned({ command: args[4]!, args: args.slice(5) }));
  },
);

test('the HTTP snippet has a token only with --token, the token works, and --replace revokes the earlier token', async () => {
  const plain = await home.json<Guide>('connect', 'http');
  expect(plain.steps[0]!.snippet!.text).toContain('Bearer <token>');
  expect(await home.json('tokens', 'list')).toEqual([]);
  const { steps } = await home.json<Guide>('connect', 'http', '--token');
  const config = JSON.parse(steps[0]!.snippet!.text);
  const { url, headers } = config.mcpServers.trestle;
  expect(config).toEqual({
    mcpServers: {
      trestle: {
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/),
        headers: { Authorization: expect.stringMatching(/^Bearer trs_\w+_[\w-]{43}$/) },
      },
    },
  });
  await expectTools(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  const tokens = () => home.json<{ name: string; revokedAt: string | null }[]>('tokens', 'list');
  const valid = async () => (await tokens()).filter(({ revokedAt }) => revokedAt === null);
  const made = { name: 'HTTP client', permission: 'readOnly', expiresAt: expect.stringMatching(/^20/) };
  expect(await valid()).toMatchObject([made]);
  await expect(home.json('connect', 'http', '--token')).rejects.toThrow(
    'There is a token named "HTTP client" already',
  );
  await home.json('connect', 'http', '--token', '--replace');
  expect([await valid(), (await tokens()).length]).toMatchObject([[made], 2]);
});

test.runIf(isHere)(
  '--workspace writes a file in a new project folder, and --undo removes the file and the folder',
  async () => {
    const project = join(home.folder, 'project');
    for (const [id, file] of [
      ['vscode', '.vscode/mcp.json'],
      ['cursor', '.cursor/mcp.json'],
      ['claude-code', '.mcp.json'],
      ['continue', '.continue/mcpServers/trestle.yaml'],
    ] as const) {
      const written = await home.json('connect', id, '--write', '--workspace', project);
      expect(written).toMatchObject({ outcome: 'written', path: join(project, file) });
      await home.json('connect', id, '--undo', '--workspace', project);
      expect(existsSync(project)).toBe(false);
    }
  },
);

test('an invalid client, option or file is refused with the reason', async () => {
  const refused = (...args: string[]) =>
    promisify(execFile)(trestle, ['connect', ...args], { env: home.env, cwd: home.folder }).then(
      () => 'accepted',
      ({ code, stderr }) => `${code}: ${stderr}`,
    );
  expect(await refused('emacs')).toMatch(/^1: There is no client "emacs". There are: claude-desktop, /);
  expect(await refused('http', '--write')).toMatch(/^1: There is no configuration file/);
  expect(await refused('zed', '--undo')).toMatch(/^1: There is nothing to undo/);
  expect(await refused('zed', '--write', '--undo')).toMatch(/^1: --write and --undo are opposites/);
  expect(await refused('zed', '--replace')).toMatch(/^1: --replace goes with --write/);
  expect(await refused('zed', '--token')).toMatch(/^1: --token goes with the client http/);
  expect(await refused('http', '--config', 'x.json')).toMatch(/^1: There is no configuration file/);
  expect(await refused('codex', '--config', 'x.toml')).toMatch(/^1: Trestle does not write/);
  const broken = join(home.folder, 'broken.json');
  writeFileSync(broken, '{ "mcpServers": ');
  expect(await refused('cursor', '--write', '--config', broken)).toMatch(
    /^1: .*broken\.json cannot be read as configuration/,
  );
  expect(readFileSync(broken, 'utf8')).toBe('{ "mcpServers": ');
});

const spawned = ({ command, args }: { command: string; args: string[] }) =>
  new StdioClientTransport({ command, args, env: home.env, cwd: home.folder, stderr: 'ignore' });

async function expectTools(transport: Transport): Promise<void> {
  const client = new Client({ name: 'configured', version: '1' });
  await client.connect(transport);
  try {
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(toolNames);
    const listed = await client.callTool({ name: 'list_connections', arguments: {} });
    expect(textOf(listed)).toContain('connections');
  } finally {
    await client.close();
  }
}

/**
 * Real clients, if `npm run clients` has downloaded them. Each registers the bridge by the command that Trestle prints.
 * If Trestle prints no command, `trestle connect --write` registers the bridge.
 */
const realClients = join(import.meta.dirname, '..', '..', '.cache', 'clients', 'node_modules', '.bin');

const listed: { id: string; binary: string; says: RegExp }[] = [
  { id: 'claude-code', binary: 'claude', says: /trestle: .*(✔|✓) Connected/ },
  // Codex lists its servers without connecting to them.
  { id: 'codex', binary: 'codex', says: /trestle .*trestle-mcp .*enabled/ },
  { id: 'opencode', binary: 'opencode', says: /trestle.*connected/ },
  { id: 'gemini', binary: 'gemini', says: /trestle: .* - Connected/ },
];

for (const { id, binary, says } of listed.filter((one) => existsSync(join(realClients, one.binary)))) {
  test(`${binary} lists the bridge after its registration`, async () => {
    const project = join(home.folder, `project-${id}`);
    mkdirSync(project);
    const env = {
      HOME: home.folder,
      PATH: `${realClients}:${process.env.PATH}`,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      NO_COLOR: '1',
    };
    const { steps } = await home.json<Guide>('connect', id);
    const [register, check] = steps.flatMap(({ snippet }) =>
      snippet?.language === 'shell' ? [snippet.text] : [],
    );
    const sh = (line: string) => promisify(execFile)('/bin/sh', ['-c', line], { cwd: project, env });
    if (register) await sh(register);
    else await home.json('connect', id, '--write');
    const { stdout, stderr } = await sh(check ?? `${binary} mcp list`);
    expect(stdout + stderr).toMatch(says);
  });
}

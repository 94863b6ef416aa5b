import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bridgeTokenName, type Core, createCore } from '@trestle/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AppInfo } from './app-info.ts';
import { Pages } from './pages.ts';
import { appRouter } from './router.ts';

let home: string;
let core: Core;
let mcp: ReturnType<AppInfo['mcp']>;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'trestle-connect-'));
  core = await createCore({ home, hostEntry: 'none', bundledDrivers: [], secretStore: 'file' });
  mcp = { state: 'running', port: 23_508, preferred: 23_508, unheard: null };
});
afterEach(async () => {
  await core.close();
  rmSync(home, { recursive: true });
});

const window = { door: 'window', isPerson: () => true, unlock: () => {} } as const;

const api = () =>
  appRouter.createCaller({ core, app: { mcp: () => mcp } as AppInfo, window, pages: new Pages() })
    .clientSetup;

const called = (clientName: string, tokenName = bridgeTokenName) =>
  core.activity.record({
    action: 'list_connections',
    tokenName,
    clientName,
    connectionId: null,
    outcome: 'ok',
    detail: null,
    durationMs: 1,
    rows: null,
    digest: null,
  });

test('every client has at least three steps, and a snippet with this install’s bridge', async () => {
  const { bridge, guides, http } = await api().clients();
  expect(bridge).toMatch(/\/bin\/trestle-mcp$/);
  expect(guides.map(({ id }) => id)).toEqual([
    'claude-desktop',
    'claude-code',
    'cursor',
    'zed',
    'vscode',
    'continue',
    'goose',
    'codex',
    'gemini',
    'opencode',
    'windsurf',
    'cline',
    'jetbrains',
  ]);
  for (const { steps } of guides) {
    expect(steps.length).toBeGreaterThan(2);
    expect(steps.some(({ snippet }) => snippet?.text.includes(bridge))).toBe(true);
  }
  expect(http?.steps[0]?.snippet?.text).toContain('"Bearer <token>"');
});

test('the HTTP steps warn if the preferred port was taken', async () => {
  const warnings = async () =>
    (await api().clients()).http?.steps.filter(({ text }) => text.startsWith('Port 23508 was taken'));
  expect(await warnings()).toHaveLength(0);
  mcp = { state: 'running', port: 40_000, preferred: 23_508, unheard: null };
  const [warning] = (await warnings()) ?? [];
  expect(warning?.text).toContain('the server listens on 40000');
});

test('the setup for HTTP creates a token, but not while the MCP server is disabled or failed', async () => {
  const draft = { name: 'Remote', permission: 'readOnly', allowlist: null, expiresAt: null } as const;
  const { token, secret } = await api().http(draft);
  const verified = core.tokens.verify(secret);
  expect(verified).toMatchObject({ ok: true, token: { id: token.id, name: 'Remote' } });
  mcp = { state: 'disabled' };
  await expect(api().http(draft)).rejects.toThrow('The MCP server is not running');
  mcp = { state: 'failed', message: 'No port is free' };
  await expect(api().http(draft)).rejects.toMatchObject({ cause: { hint: 'No port is free' } });
  expect((await api().clients()).http).toBeNull();
  expect(core.tokens.list()).toHaveLength(1);
});

test('lastCalls finds each listed client that called through the bridge, a call over HTTP, and the newest call through the bridge', async () => {
  const lit = async () => {
    const { clients, bridge } = await api().lastCalls();
    const names = Object.entries(clients).flatMap(([id, call]) => (call ? [id] : []));
    return { names, bridge: bridge?.clientName ?? null };
  };
  expect(await lit()).toEqual({ names: [], bridge: null });
  called('claude-code');
  expect(await lit()).toEqual({ names: ['claude-code'], bridge: 'claude-code' });
  called('Zed');
  called('claude-ai', 'Remote');
  called('something new');
  expect(await lit()).toEqual({ names: ['claude-code', 'zed', 'http'], bridge: 'something new' });
});

test('a config file in a project is planned only if the project’s folder exists and its path is absolute', async () => {
  const plan = (workspace: string) =>
    appRouter
      .createCaller({ core, app: { dataDirectory: home } as AppInfo, window, pages: new Pages() })
      .clientSetup.config.plan({ client: 'continue', workspace });
  expect(await plan(home)).toMatchObject({
    state: 'missing',
    path: join(home, '.continue', 'mcpServers', 'trestle.yaml'),
  });
  await expect(plan(join(home, 'slip'))).rejects.toThrow(`There is no folder ${join(home, 'slip')}`);
  await expect(plan('relative')).rejects.toThrow('is not absolute');
});

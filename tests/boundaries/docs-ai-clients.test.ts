import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Effect } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { clients, httpClient } from '../../apps/desktop/src/client-setup/clients.ts';
import { decideAccess } from '../../packages/core/src/access/decide-access.ts';
import { defaultSettings } from '../../packages/core/src/settings/settings.ts';
import type { ExternalClients, Permission } from '../../packages/core/src/types.ts';
import { tools } from '../../packages/mcp-server/src/tools/index.ts';

const page = readDocs('ai-clients.md');

test('docs/ai-clients.md lists every client that trestle connect knows, and no other', () => {
  const listed = [...page.matchAll(/^\| [^|]+ \| `([a-z-]+)` \|/gm)].map((found) => String(found[1]));
  expect(listed).toEqual([...clients, httpClient].map(({ id }) => id));
});

test('docs/ai-clients.md lists every tool, and no other', () => {
  const section = page.split('\n## Tools')[1]?.split('\n## ')[0] ?? '';
  const listed = [...section.matchAll(/`([a-z_]+)`/g)].map((found) => String(found[1]));
  expect(listed).toEqual(tools.map(({ name }) => name));
});

test.each([
  ['blocked', 'readOnly', 'Blocked | any'],
  ['blocked', 'fullAccess', 'Blocked | any'],
  ['readOnly', 'readOnly', 'Read Only | any'],
  ['readOnly', 'fullAccess', 'Read Only | any'],
  ['readWrite', 'readOnly', 'Read & Write | Read Only'],
  ['readWrite', 'readWrite', 'Read & Write | Read & Write, or `trestle-mcp`'],
  ['readWrite', 'bridge', 'Read & Write | Read & Write, or `trestle-mcp`'],
  ['readWrite', 'fullAccess', 'Read & Write | Full Access'],
] as const)(
  'the table of rights agrees with the gate: External Clients %s, token %s',
  (externalClients, token, row) => {
    const written = page.split('\n').find((line) => line.startsWith(`| ${row} |`)) ?? '';
    const cells = written.split(' | ').slice(2);
    const isAllowed = cells.map((cell) => !cell.startsWith('no'));
    expect([row, ...isAllowed]).toEqual([
      row,
      ...(['read', 'write', 'destroy'] as const).map((wanted) => mayDo(externalClients, token, wanted)),
    ]);
  },
);

test('the limits in docs/ai-clients.md and docs/data-and-ports.md equal the default settings', () => {
  const places = readDocs('data-and-ports.md');
  const count = (value: number) => value.toLocaleString('en');
  const { historyEntries, historyMegabytes, activityMegabytes, exportsMegabytes, logsMegabytes } =
    defaultSettings;
  expect(places).toContain(
    `above ${count(historyEntries)} entries for a connection, or ${historyMegabytes} MB`,
  );
  expect(places).toContain(`above ${activityMegabytes} MB, the oldest go`);
  expect(places).toContain(`Above ${count(exportsMegabytes)} MB the oldest go`);
  expect(places).toContain(`above ${logsMegabytes} MB the oldest go`);
  const { mcpRequestsPerMinute, mcpConcurrentRequests, mcpBodyMegabytes, mcpSockets, mcpLockoutAttempts } =
    defaultSettings;
  expect(page).toContain(`| ${count(mcpRequestsPerMinute)} a minute and ${mcpConcurrentRequests} at once`);
  expect(page).toContain(`| size of a request | ${mcpBodyMegabytes} MB |`);
  expect(page).toContain(`| open sockets | ${mcpSockets} |`);
  expect(page).toContain(
    `| wrong tokens | ${mcpLockoutAttempts} in ${defaultSettings.mcpLockoutWindowSeconds} s`,
  );
});

function mayDo(externalClients: ExternalClients, token: Permission | 'bridge', wanted: Effect): boolean {
  const named =
    token === 'bridge'
      ? { kind: 'bridge' as const, permission: 'fullAccess' as const }
      : { kind: 'user' as const, permission: token };
  const decision = decideAccess({
    caller: {
      kind: 'client',
      token: { id: 't', name: 'A token', allowlist: null, ...named },
      clientName: 'Any',
      process: null,
    },
    connection: { id: 'c', externalClients, aiPolicy: 'alwaysAllow', safeMode: 'off' },
    approval: 'unasked',
    wanted,
  });
  return decision.kind === 'allow';
}

function readDocs(name: string): string {
  return readFileSync(join(import.meta.dirname, '..', '..', 'docs', name), 'utf8');
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { clients } from './clients.ts';
import { writeConfig } from './write-config.ts';

function cursor() {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-connect-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'mcp.json');
  const client = clients.find(({ id }) => id === 'cursor')!;
  const write = (command: string) =>
    writeConfig({ client, path, bridge: { command, args: [] }, dataDirectory: folder, replace: true });
  return { path, write };
}

test('a second write of a file that Trestle created still reports the file as created', () => {
  const { write } = cursor();
  expect(write('/old/trestle-mcp')).toMatchObject({ outcome: 'written', created: true });
  expect(write('/new/trestle-mcp')).toMatchObject({ outcome: 'written', created: true });
});

test.each([
  ['{\n "a": }', 'cannot be read as configuration: line 2 is not JSON'],
  [Buffer.from([0x7b, 0xff, 0x7d]), 'is not UTF-8 text'],
  ['{"mcpServers": {}, "mcpServers": {"x": {}}}', 'is written in a way'],
])('a refusal names the file: %s', (content, message) => {
  const { path, write } = cursor();
  writeFileSync(path, content);
  expect(() => write('/b')).toThrow(`${path} ${message}`);
});

test('if the servers are a list, the refusal names the file', () => {
  const { path, write } = cursor();
  writeFileSync(path, '{"mcpServers": []}');
  expect(() => write('/b')).toThrow(`"mcpServers" in ${path} is not a map of servers`);
});

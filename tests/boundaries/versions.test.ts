import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));

test('a release has one version for the app, the bridge and the entry in the public MCP registry', () => {
  const { version } = read('package.json');
  const server = read('server.json');
  const versions = {
    desktop: read('apps/desktop/package.json').version,
    bridge: read('apps/bridge/package.json').version,
    ui: read('apps/ui/package.json').version,
    server: server.version,
    package: server.packages[0].version,
  };
  expect(versions).toEqual(Object.fromEntries(Object.keys(versions).map((name) => [name, version])));
  expect(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).toContain(`\n## ${version}\n`);
});

test('name and description of the entry for the public MCP registry follow its rules, and the entry names the npm package', () => {
  const { name, description, packages } = read('server.json');
  expect(name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(description.length).toBeLessThanOrEqual(100);
  expect(packages[0]).toMatchObject({
    registryType: 'npm',
    identifier: 'trestle-mcp',
    transport: { type: 'stdio' },
  });
  // The registry accepts an npm package only if the package names the entry.
  expect(readFileSync(join(root, 'scripts', 'package', 'npm.ts'), 'utf8')).toContain(`mcpName: '${name}'`);
});

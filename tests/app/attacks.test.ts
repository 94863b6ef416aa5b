import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createHome } from './trestle.ts';

/**
 * A page can make a browser open any address of our scheme. Only one such address does something:
 * trestle://integrations/start-mcp starts the app without a window.
 */
test('an address other than trestle://integrations/start-mcp, or an unknown command, runs nothing', async () => {
  const home = createHome();
  for (const first of [
    'trestle://integrations/start-mcp?token=full',
    'trestle://integrations/start-mcp/',
    'trestle://integrations/start-mcp#x',
    'TRESTLE://integrations/start-mcp',
    'trestle:integrations/start-mcp',
    'trestle://integrations/start-mcp --home=/tmp',
    'trestle://tokens/create?permission=fullAccess',
    'trestle://connections/remove/1',
    'trestle://plugins/install?file=/tmp/x.tgz',
    'trestle://../../bin/sh',
    'trestle://%2d%2dhelp',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'Tokens',
    '../tokens',
  ]) {
    const { code, stdout, stderr } = await home.run([first]);
    expect([first, code, stdout]).toEqual([first, 1, '']);
    expect(stderr).toMatch(/^There is no command/);
    expect(stderr).not.toMatch(/at .*\.js:\d+/);
  }
  expect(readdirSync(home.folder)).toEqual([]);
});

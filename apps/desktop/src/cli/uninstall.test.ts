import { sep } from 'node:path';
import { expect, test } from 'vitest';
import { lastStep } from './uninstall.ts';

test('the last step of uninstall is to delete the folder in the cache of npx, or to remove the npm package', () => {
  const path = (...parts: string[]) => ['', ...parts].join(sep);
  const cache = path('home', 'a', '.npm', '_npx', '1f2e');
  expect(lastStep('npm', `${cache}${path('node_modules', 'trestle-mcp')}`)).toBe(
    `Now delete the folder of Trestle in the cache of npx: ${cache}`,
  );
  expect(lastStep('npm', path('usr', 'lib', 'node_modules', 'trestle-mcp'))).toBe(
    'Now remove the program: npm uninstall -g trestle-mcp',
  );
});

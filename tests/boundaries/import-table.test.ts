import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findBreaches, readImportTable } from './import-table.ts';

const root = join(import.meta.dirname, '..', '..');
const table = readImportTable(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'));

test('every package keeps to the table in ARCHITECTURE.md', () => {
  expect(table.size).toBeGreaterThan(8);
  expect(findBreaches(root, table)).toEqual([]);
});

describe('a planted breach is found', () => {
  let copy: string;

  beforeEach(() => {
    copy = mkdtempSync(join(tmpdir(), 'trestle-boundaries-'));
    for (const folder of table.keys()) {
      mkdirSync(join(copy, folder, 'src'), { recursive: true });
      cpSync(join(root, folder, 'package.json'), join(copy, folder, 'package.json'));
    }
    expect(findBreaches(copy, table)).toEqual([]);
  });

  afterEach(() => rmSync(copy, { recursive: true }));

  function plant(file: string, text: string): string[] {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    writeFileSync(join(copy, file), text);
    return findBreaches(copy, table);
  }

  test.each([
    [
      'a package of ours that the table does not allow',
      'packages/core/src/x.ts',
      "import { a } from '@trestle/mcp-server';",
    ],
    [
      'a forbidden package in a type import',
      'packages/driver-kit/src/x.ts',
      "import type { Core } from '@trestle/core';",
    ],
    [
      'a forbidden package in a lazy import',
      'apps/bridge/src/x.ts',
      "const core = await import('@trestle/core');",
    ],
    ['a forbidden package in a re-export', 'packages/handshake/src/x.ts', "export * from '@trestle/core';"],
    [
      'a forbidden package imported for its side effects',
      'drivers/sqlite/src/x.ts',
      "import '@trestle/core';",
    ],
    [
      'a forbidden package in an import over several lines',
      'drivers/sqlite/src/x.ts',
      "import {\n  createCore,\n  other,\n} from '@trestle/core';",
    ],
    [
      'a path out of the package',
      'packages/core/src/x.ts',
      "import { a } from '../../mcp-server/src/server.ts';",
    ],
    [
      'a value where only types are allowed',
      'apps/ui/src/x.ts',
      "import { appRouter } from '@trestle/desktop/router';",
    ],
    [
      'a package of which only another entry point is allowed',
      'apps/ui/src/x.ts',
      "import { createCore } from '@trestle/core';",
    ],
    [
      'a package that the table does not allow in the registry',
      'registry/src/x.ts',
      "import { createCore } from '@trestle/core';",
    ],
    ['an undeclared dependency', 'apps/bridge/src/x.ts', "import { z } from 'zod';"],
    ['a built-in without its prefix', 'packages/core/src/x.ts', "import { readFileSync } from 'fs';"],
  ])('%s', (_kind, file, text) => {
    expect(plant(file, text)).toHaveLength(1);
  });

  test('a dependency of ours that is declared but not allowed', () => {
    const manifest = JSON.stringify({ dependencies: { '@trestle/core': '0.1.0' } });
    expect(plant('apps/bridge/package.json', manifest)).toHaveLength(1);
  });

  test('a package missing from the table', () => {
    expect(plant('packages/extra/package.json', '{}')).toEqual([
      'packages/extra is not in the table of ARCHITECTURE.md',
    ]);
  });

  test('but not an import in a comment', () => {
    expect(
      plant('packages/core/src/x.ts', "/* import { a } from '@trestle/mcp-server' */\n// import 'fs';\n"),
    ).toEqual([]);
  });
});

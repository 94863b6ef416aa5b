import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import type { InlineConfig } from 'vitest/node';
import { retriedProjects } from './scripts/results.ts';
import { SlowFirst } from './scripts/slow-first.ts';
import { smokeJourneys } from './tests/e2e/smoke-journeys.ts';

/** Two workers per core, but 4 to 8 in all: a test that starts processes waits for them half of its time. */
const maxWorkers = Math.min(Math.max(availableParallelism() * 2, 4), 8);

/** Without this cache, each worker would compile Vitest and Playwright again. */
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '.cache', 'test-workers');

const unitTests = [
  '{apps,packages,drivers,registry,samples,scripts}/**/*.test.{ts,tsx}',
  'tests/{boundaries,contract,fuzz}/**/*.test.ts',
];

/** These tests change their worker: they replace a module, or set PATH. All others leave nothing behind in it. */
const ownWorkerTests = globSync(unitTests, {
  cwd: import.meta.dirname,
  exclude: ['**/node_modules', '**/dist'],
}).filter((file) =>
  /\bvi\.(do)?[mM]ock\(|process\.env\.PATH = /.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
);

/** The tests of the MCP server that run it in their worker. */
const mcpTests = [
  'tests/mcp/attacks-{budget,envelope,errors,large,masking,prompts,reach,sql}.test.ts',
  'tests/mcp/{approvals,client-v1,clients,resources,subscriptions,token-budget}.test.ts',
  'tests/mcp/tools-{sqlite,weaviate}.test.ts',
];

/**
 * Whether all projects run. Then most files share workers, and a worker loads the core once. With `--project unit` (all
 * unit tests) or `--project system` (all tests of processes and browsers), each file has its own worker.
 */
const sharesWorkers = !process.argv.some((argument) => argument.startsWith('--project'));

/** `npm test` sets this. It leaves out what takes most of the time: most journeys, other processes, real servers. */
const isQuick = process.env.TRESTLE_TESTS === 'quick';

/** The browser tests of a worker share one browser. Most of them share its app and page too. */
const browserTests = isQuick
  ? Object.keys(smokeJourneys).map((file) => `tests/e2e/${file}`)
  : ['tests/e2e/**/*.test.ts'];

function system(more: InlineConfig & { name: string }): TestProjectInlineConfiguration {
  const retry = process.env.CI && retriedProjects.includes(more.name) ? 2 : 0;
  return { extends: true, test: { testTimeout: 120_000, hookTimeout: 120_000, retry, ...more } };
}

function unit({ exclude = [], ...more }: InlineConfig): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: {
      exclude: ['**/node_modules/**', '**/dist/**', ...exclude],
      testTimeout: 120_000,
      hookTimeout: 120_000,
      ...more,
    },
  };
}

export default defineConfig({
  test: {
    setupFiles: ['./scripts/vitest-worker.ts'],
    globalSetup: ['./scripts/vitest-setup.ts'],
    maxWorkers,
    sequence: { sequencer: SlowFirst },
    // On a busy machine, the default of one second is too short.
    expect: { poll: { timeout: 60_000 } },
    projects: [
      unit({ name: 'unit', include: sharesWorkers ? ownWorkerTests : unitTests }),
      ...(sharesWorkers
        ? [unit({ name: 'plain', include: unitTests, exclude: ownWorkerTests, isolate: false })]
        : []),
      ...(sharesWorkers ? [system({ name: 'browser', include: browserTests, isolate: false })] : []),
      ...(sharesWorkers ? [system({ name: 'mcp', include: mcpTests, isolate: false })] : []),
      ...(isQuick
        ? []
        : [
            system({
              name: 'system',
              exclude: sharesWorkers ? mcpTests : [],
              include: [
                'tests/{app,faults,mcp,packages}/**/*.test.ts',
                ...(sharesWorkers ? [] : browserTests),
              ],
            }),
            system({
              name: 'weaviate',
              include: ['tests/real-weaviate/**/*.test.ts'],
              globalSetup: ['./tests/real-weaviate/global-setup.ts'],
            }),
          ]),
    ],
  },
});

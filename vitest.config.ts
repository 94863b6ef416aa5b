import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import type { InlineConfig } from 'vitest/node';
import { SlowFirst } from './scripts/slow-first.ts';

/** More than there are cores: a test of whole processes spends half of its time waiting for them. */
const maxWorkers = Math.min(Math.max(availableParallelism() * 2, 4), 8);

/** Whole processes and a browser share the cores of a build machine; a retry is reported as one. */
const busyMachineRetries = process.env.CI ? 2 : 0;

/** Each test file has a worker of its own, which would compile Vitest and Playwright again. */
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '.cache', 'test-workers');

const unitTests = [
  '{apps,packages,drivers,registry,samples,scripts}/**/*.test.{ts,tsx}',
  'tests/{boundaries,contract,fuzz}/**/*.test.ts',
];

/** They leave nothing behind in their worker, so that one worker may run many of the files: each loads the core. */
const plainTests = [
  '{apps/desktop,apps/ui,drivers,packages/core,packages/driver-kit,packages/mcp-server,samples}/**/*.test.{ts,tsx}',
  'tests/fuzz/**/*.test.ts',
];

/**
 * In a run of everything. `--project unit` names all unit tests and `--project system` all of processes and browsers,
 * and each gives each file a worker of its own.
 */
const sharesWorkers = !process.argv.some((argument) => argument.startsWith('--project'));

/** They share a worker's browser, and most of them its app and page too. */
const browserTests = 'tests/e2e/**/*.test.ts';

function system(more: InlineConfig): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: { testTimeout: 120_000, hookTimeout: 120_000, retry: busyMachineRetries, ...more },
  };
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
    // A default of one second is what a busy machine breaks first.
    expect: { poll: { timeout: 60_000 } },
    projects: [
      unit({ name: 'unit', include: unitTests, exclude: sharesWorkers ? plainTests : [] }),
      ...(sharesWorkers ? [unit({ name: 'plain', include: plainTests, isolate: false })] : []),
      ...(sharesWorkers ? [system({ name: 'browser', include: [browserTests], isolate: false })] : []),
      system({
        name: 'system',
        include: ['tests/{app,faults,mcp,packages}/**/*.test.ts', ...(sharesWorkers ? [] : [browserTests])],
      }),
      system({
        name: 'weaviate',
        include: ['tests/real-weaviate/**/*.test.ts'],
        globalSetup: ['./tests/real-weaviate/global-setup.ts'],
      }),
    ],
  },
});

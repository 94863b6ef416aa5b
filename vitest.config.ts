import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SlowFirst } from './scripts/slow-first.ts';

/** More than there are cores: a test of whole processes spends half of its time waiting for them. */
const maxWorkers = Math.min(Math.max(availableParallelism() * 2, 4), 8);

/** Whole processes and a browser share the cores of a build machine; a retry is reported as one. */
const busyMachineRetries = process.env.CI ? 2 : 0;

export default defineConfig({
  test: {
    globalSetup: ['./scripts/vitest-setup.ts'],
    maxWorkers,
    sequence: { sequencer: SlowFirst },
    // A default of one second is what a busy machine breaks first.
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            '{apps,packages,drivers,registry,samples,scripts}/**/*.test.{ts,tsx}',
            'tests/{boundaries,contract}/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', '**/dist/**'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: ['tests/{app,e2e,faults,mcp,packages}/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          retry: busyMachineRetries,
        },
      },
      {
        extends: true,
        test: {
          name: 'weaviate',
          include: ['tests/real-weaviate/**/*.test.ts'],
          globalSetup: ['./tests/real-weaviate/global-setup.ts'],
          retry: busyMachineRetries,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['./scripts/vitest-setup.ts'],
    // A default of one second is what a busy machine breaks first.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            '{apps,packages,drivers,samples,scripts}/**/*.test.{ts,tsx}',
            'tests/{boundaries,contract}/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', '**/dist/**'],
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: ['tests/{app,e2e,faults,mcp}/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'weaviate',
          include: ['tests/real-weaviate/**/*.test.ts'],
          globalSetup: ['./tests/real-weaviate/global-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});

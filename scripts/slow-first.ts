import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { root } from './stale.mjs';

/** The slowest files, in the order of their time on two cores. If one started last, it would run alone. */
const slow = [
  'tests/mcp/bridge-clients.test.ts',
  'tests/e2e/accessibility.test.ts',
  'tests/app/commands.test.ts',
  'tests/real-weaviate/sessions.test.ts',
  'tests/e2e/firefox.test.ts',
  'tests/e2e/save.test.ts',
  'tests/e2e/connection-lost.test.ts',
  'tests/e2e/connection-test.test.ts',
  'tests/e2e/editor-answers.test.ts',
  'tests/e2e/two-windows.test.ts',
  'tests/real-weaviate/docker.test.ts',
  'tests/e2e/weaviate.test.ts',
  'tests/e2e/weaviate-search.test.ts',
  'tests/e2e/integrations.test.ts',
  'tests/e2e/edit.test.ts',
  'tests/e2e/approvals.test.ts',
  'tests/e2e/query.test.ts',
];

const unitProjects = ['unit', 'plain'];

/**
 * Runs the slow files first, then the other system tests, and the unit tests last. Vitest by itself goes
 * project by project, and would end with a few files of the last project on few workers.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = new Map(files.map((file) => [file, rankOf(file)]));
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => rank.get(one)! - rank.get(other)!);
  }
}

function rankOf({ moduleId, project }: TestSpecification): number {
  const place = slow.indexOf(relative(root, moduleId).replaceAll('\\', '/'));
  if (place >= 0) return place;
  return slow.length + (unitProjects.includes(project.name) ? 1 : 0);
}

import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { root } from './stale.mjs';

/** The slow files, slowest first, measured on two cores. A slow file that starts last would run alone at the end. */
const slow = [
  'tests/e2e/neighbours.test.ts',
  'tests/e2e/search-lab.test.ts',
  'tests/e2e/connection-lost.test.ts',
  'tests/e2e/integrations.test.ts',
  'tests/e2e/edit.test.ts',
  'tests/e2e/import.test.ts',
  'tests/e2e/weaviate-search.test.ts',
  'tests/e2e/two-windows.test.ts',
  'tests/e2e/save.test.ts',
  'tests/e2e/connection-test.test.ts',
  'tests/e2e/approvals.test.ts',
  'tests/mcp/bridge-clients.test.ts',
  'tests/app/commands.test.ts',
  'tests/app/samples.test.ts',
  'tests/app/import.test.ts',
  'tests/packages/npm-package.test.ts',
  'tests/faults/killed-window.test.ts',
  'tests/real-weaviate/cluster.test.ts',
  'tests/real-weaviate/docker.test.ts',
  'tests/real-weaviate/contract.test.ts',
  'tests/real-weaviate/network-faults.test.ts',
  'tests/real-weaviate/sessions.test.ts',
  'tests/real-weaviate/export.test.ts',
  'tests/real-weaviate/filters.test.ts',
  'tests/boundaries/code-health.test.ts',
];

/**
 * The order of the projects. Files of projects in one entry are mixed. A project whose files share workers has an entry
 * of its own: a shared worker cannot continue with a file of another project.
 */
const projectsInTurn = [['browser'], ['system', 'weaviate'], ['mcp'], ['unit'], ['plain']];

/** Runs the projects in the order of `projectsInTurn`. In each entry, the slow files come before the other files. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = new Map(files.map((file) => [file, rankOf(file)]));
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => rank.get(one)! - rank.get(other)!);
  }
}

function rankOf({ moduleId, project }: TestSpecification): number {
  const turn = projectsInTurn.findIndex((projects) => projects.includes(project.name));
  const place = slow.indexOf(relative(root, moduleId).replaceAll('\\', '/'));
  return turn * (slow.length + 1) + (place < 0 ? slow.length : place);
}

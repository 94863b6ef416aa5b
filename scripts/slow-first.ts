import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { root } from './stale.mjs';

/** The slow files, slowest first, measured on two cores. A slow file that starts last would run alone at the end. */
const slow = [
  'tests/e2e/approvals.test.ts',
  'tests/e2e/two-windows.test.ts',
  'tests/e2e/save.test.ts',
  'tests/e2e/weaviate-search.test.ts',
  'tests/e2e/export.test.ts',
  'tests/e2e/search-lab.test.ts',
  'tests/e2e/copy.test.ts',
  'tests/e2e/integrations.test.ts',
  'tests/e2e/recovery.test.ts',
  'tests/e2e/filters.test.ts',
  'tests/e2e/whole-journey.test.ts',
  'tests/e2e/columns.test.ts',
  'tests/e2e/weaviate-install.test.ts',
  'tests/e2e/neighbours.test.ts',
  'tests/e2e/cells.test.ts',
  'tests/e2e/inspector.test.ts',
  'tests/e2e/accessibility.test.ts',
  'tests/real-weaviate/cluster.test.ts',
  'tests/app/import.test.ts',
  'tests/mcp/bridge-clients.test.ts',
  'tests/app/administration.test.ts',
  'tests/app/query.test.ts',
  'tests/real-weaviate/filters.test.ts',
  'tests/app/commands.test.ts',
  'tests/real-weaviate/contract.test.ts',
  'tests/packages/linux-packages.test.ts',
  'tests/real-weaviate/import-faults.test.ts',
  'tests/real-weaviate/network-faults.test.ts',
  'tests/app/edit-connections.test.ts',
  'tests/packages/npm-package.test.ts',
  'tests/real-weaviate/docker.test.ts',
  'tests/real-weaviate/export.test.ts',
  'tests/faults/killed-window.test.ts',
  'tests/app/samples.test.ts',
  'tests/app/export.test.ts',
  'tests/boundaries/code-health.test.ts',
  'packages/driver-host/src/lies.test.ts',
  'packages/core/src/plugins/plugins.test.ts',
  'packages/core/src/masking/first-value.test.ts',
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

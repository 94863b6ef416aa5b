import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runServer } from '../mcp/running-server.ts';
import { extend } from './fixtures.ts';
import { startProxy } from './proxy.ts';
import { runSuite, type ScenarioResult, suiteCommand } from './suite.ts';

export interface Scored extends ScenarioResult {
  /**
   * False for a scenario that we expect to fail. If the revision has a list of requirements, also false for a scenario
   * that is not in the list.
   */
  scored: boolean;
}

/** The MCP revisions that we support, each with the suite's options for its set of scenarios. */
export const revisions: Record<string, string[]> = {
  '2026-07-28': ['--requirements', '2026-07-28'],
  '2025-11-25': ['--requirements', '2025-11-25'],
  // The suite has no list of requirements for this revision.
  '2025-06-18': ['--suite', 'all', '--spec-version', '2025-06-18'],
};

/** This scenario needs GET. The server answers GET with 405, and sends notifications in the response to a request. */
const expectedFailures = new Set(['server-sse-polling']);

/** Runs the suite on the product's own transport, with the fixtures that the suite needs. */
export async function runRevision(revision: string, set = revisions[revision] ?? []): Promise<Scored[]> {
  const running = await runServer({ extend });
  const proxy = await startProxy(running.server.port, running.token);
  try {
    const results = await runSuite(`http://127.0.0.1:${proxy.port}/mcp`, set);
    const required = requiredScenarios(revision);
    return results.map((result) => ({
      ...result,
      scored: !expectedFailures.has(result.scenario) && (required?.has(result.scenario) ?? true),
    }));
  } finally {
    proxy.close();
    await running.close();
  }
}

/** The names under `server:` in the list that ships with the suite. Undefined if the revision has no list. */
function requiredScenarios(revision: string): Set<string> | undefined {
  if (revisions[revision]?.[0] !== '--requirements') return undefined;
  const file = join(dirname(suiteCommand()), '..', 'requirements', `${revision}.yaml`);
  const [, section = ''] = /^server:\n((?: {2}- .+\n)+)/m.exec(readFileSync(file, 'utf8')) ?? [];
  return new Set([...section.matchAll(/^ {2}- (\S+)/gm)].map((match) => match[1] as string));
}

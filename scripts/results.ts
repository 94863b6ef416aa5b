/**
 * The projects whose tests are retried on a build machine, where a browser or a real server may be too slow. The failure
 * of any other test is a fault.
 */
export const retriedProjects = ['browser', 'weaviate'];

export interface Test {
  project: string;
  file: string;
  name: string;
  state: 'passed' | 'failed' | 'skipped' | 'pending';
  /** How often the test was run again after a failure. */
  retries: number;
  /** The message of the first failure. */
  error?: string;
  /** The reason for skipping the test, if it gives one. */
  reason?: string;
}

/** An error outside a test. */
export interface Problem {
  file?: string;
  name?: string;
  error: string;
}

export interface Results {
  passed: number;
  failed: number;
  skipped: number;
  /** The versions of Weaviate on which a test of the driver contract passed. A start of the server is not enough. */
  weaviate: string[];
  /** The skipped, retried and failed tests. */
  lines: string[];
}

/** Counts the tests, and names those to look at. The failures come last, because some build machines keep only the end of a log. */
export function summarize(tests: Test[], errors: Problem[]): Results {
  const inState = (...states: Test['state'][]) => tests.filter(({ state }) => states.includes(state));
  const passed = inState('passed');
  const failed = inState('failed');
  // If the run is interrupted, the remaining tests are pending.
  const skipped = inState('skipped', 'pending');
  const retried = passed.filter(({ retries }) => retries > 0);
  const wrongly = retried.filter(({ project }) => !retriedProjects.includes(project));
  const problems = [
    ...errors,
    ...wrongly.map((test) => ({
      ...test,
      error: `only tests of ${retriedProjects.join(' and ')} may be retried`,
    })),
  ];
  return {
    passed: passed.length,
    failed: failed.length + problems.length,
    skipped: skipped.length,
    weaviate: contractVersions(passed),
    lines: [
      ...skippedLines(skipped),
      ...retried.map((test) => `retried ${test.retries}×, then passed: ${inWords(test)}`),
      ...(retried.length > 0 ? [`${retried.length} passed only after a retry.`] : []),
      ...[...failed, ...problems].map((one) => `FAILED: ${inWords(one)}`),
    ],
  };
}

function contractVersions(passed: Test[]): string[] {
  const names = passed.filter(({ name }) => /contract/i.test(name)).map(({ name }) => name);
  return ['1.39.0', '1.27.27'].filter((version) =>
    names.some((name) => name.includes(`Weaviate ${version}`)),
  );
}

function skippedLines(tests: Test[]): string[] {
  const alike = Map.groupBy(tests, (test) => JSON.stringify([test.file, reasonOf(test)]));
  return [...alike.values()].map((same) => {
    const { file, name } = same[0]!;
    const reason = reasonOf(same[0]!);
    const what = same.length === 1 ? `${file} > ${name}` : `${same.length} tests of ${file}`;
    return `skipped: ${what}${reason && !what.endsWith(`(${reason})`) ? `: ${reason}` : ''}`;
  });
}

/** Some tests have the reason in their name, such as “(needs Chromium)”. */
function reasonOf({ reason, name }: Test): string | undefined {
  return reason ?? / \((needs .+)\)$/.exec(name)?.[1];
}

function inWords({ file, name, error }: Problem | Test): string {
  return [[file, name].filter(Boolean).join(' > '), error?.trim().split('\n')[0]].filter(Boolean).join(': ');
}

import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite, Vitest } from 'vitest/node';
import { type Problem, summarize, type Test } from './results.ts';

/** Writes the results for scripts/test.mjs into the file of `--outputFile`. */
export default class ResultsReporter implements Reporter {
  #file = '';

  onInit(vitest: Vitest): void {
    this.#file = String(vitest.config.outputFile);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const tests = modules.flatMap((one) => [...one.children.allTests()].map(read));
    const problems = [
      ...modules.flatMap(problemsOf),
      ...unhandled.map((error) => ({ error: error.message })),
    ];
    writeFileSync(this.#file, JSON.stringify(summarize(tests, problems)));
  }
}

function read(test: TestCase): Test {
  const result = test.result();
  return {
    project: test.project.name,
    file: test.module.relativeModuleId,
    name: test.fullName,
    state: result.state,
    retries: test.diagnostic()?.retryCount ?? 0,
    error: result.errors?.[0]?.message,
    reason: result.state === 'skipped' ? result.note : undefined,
  };
}

/** The errors outside a test. A file that does not load has no tests to count, but is a failure. */
function problemsOf(module: TestModule): Problem[] {
  const parts: (TestModule | TestSuite)[] = [module, ...module.children.allSuites()];
  return parts.flatMap((part) =>
    part.errors().map((error) => ({
      file: module.relativeModuleId,
      name: part.type === 'suite' ? part.fullName : undefined,
      error: error.message,
    })),
  );
}

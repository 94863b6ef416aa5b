import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureChromium } from './chromium.mjs';
import { prepare, root, run } from './prepare.mjs';

const node = prepare();
const chromium = ensureChromium();
run(node, [join(root, 'scripts', 'build.ts')]);

const folder = mkdtempSync(join(tmpdir(), 'trestle-test-'));
const results = join(folder, 'results.json');
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const { status } = spawnSync(node, [vitest, 'run', ...reporters, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...(chromium && { TRESTLE_CHROMIUM: chromium }) },
});

let failed = 1;
try {
  const report = JSON.parse(readFileSync(results, 'utf8'));
  // A file that does not even load has no test to count, and still is a failure.
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((one) => one.status === 'failed'),
  );
  failed = report.numFailedTests + brokenFiles.length;
  const skipped = report.numPendingTests + report.numTodoTests;
  const names = report.testResults.flatMap((file) =>
    file.assertionResults
      .filter((one) => one.status === 'pending' || one.status === 'skipped')
      .map((one) => one.fullName),
  );
  for (const name of names) console.log(`skipped: ${name}`);
  console.log(
    `${report.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
  );
} catch (error) {
  console.log(`No results from the test runner: ${error.message}`);
  console.log('0 passed, 1 failed');
}
rmSync(folder, { recursive: true, force: true });
process.exit(status || (failed > 0 ? 1 : 0));

/** A version counts when tests of the contract passed on it, not when its server merely started. */
function weaviateVersions(report) {
  const tests = report.testResults.flatMap((file) => file.assertionResults);
  const passed = tests.filter((one) => one.status === 'passed' && /contract/i.test(one.fullName));
  const versions = ['1.39.0', '1.27.27'];
  const ran = versions.filter((version) =>
    passed.some((one) => one.fullName.includes(`Weaviate ${version}`)),
  );
  return { ran, missing: versions.filter((version) => !ran.includes(version)) };
}

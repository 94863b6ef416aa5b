import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureChromium } from './chromium.mjs';
import { prepare, root } from './prepare.mjs';

const asked = process.argv.slice(2).filter((argument) => argument !== '--all');
/** Without --all, and without a file or a project that the user names. */
const isQuick = !process.argv.includes('--all') && asked.every((argument) => argument === '--changed');

const node = prepare();
const chromium = ensureChromium();

const folder = mkdtempSync(join(tmpdir(), 'trestle-test-'));
const results = join(folder, 'results.json');
const { status } = spawnSync(
  node,
  [
    join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${results}`,
    ...asked,
    ...(asked.includes('--changed') ? ['--passWithNoTests'] : []),
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      ...(chromium && { TRESTLE_CHROMIUM: chromium }),
      ...(isQuick && { TRESTLE_TESTS: 'quick' }),
    },
  },
);
const failed = report(results);
rmSync(folder, { recursive: true, force: true });
process.exit(status || (failed > 0 ? 1 : 0));

/**
 * Prints the skipped tests, the servers that the driver was tested on, and the totals. Returns the number of failures.
 */
function report(file) {
  let result;
  try {
    result = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    console.log(`No results from the test runner: ${error.message}`);
    console.log('0 passed, 1 failed');
    return 1;
  }
  const tests = result.testResults.flatMap((one) => one.assertionResults);
  for (const { status, fullName } of tests) if (status === 'skipped') console.log(`skipped: ${fullName}`);
  const weaviate = weaviateVersions(tests);
  // A file that does not load has no tests to count, but is a failure.
  const broken = result.testResults.filter(
    (one) => one.status === 'failed' && !one.assertionResults.some((test) => test.status === 'failed'),
  );
  const required = !isQuick && process.env.TRESTLE_REQUIRE_WEAVIATE ? weaviate.missing.length : 0;
  const count = (status) => tests.filter((one) => one.status === status).length;
  // Without a browser, the browser tests were skipped. With this variable, the skipped tests must count as a failure.
  const browser = !chromium && process.env.TRESTLE_REQUIRE_CHROMIUM ? 1 : 0;
  if (browser > 0) console.log('Chromium is required here and missing: no browser test ran.');
  const failures = count('failed') + broken.length + required + browser;
  const skipped = count('skipped') + count('todo') + count('pending');
  console.log(
    isQuick ? '`npm run test:all` tests more: all journeys, processes, real servers.' : weaviate.sentence,
  );
  console.log(`${count('passed')} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return failures;
}

/** A version counts if a contract test passed on it, not if its server merely started. */
function weaviateVersions(tests) {
  const passed = tests.filter((one) => one.status === 'passed' && /contract/i.test(one.fullName));
  const versions = ['1.39.0', '1.27.27'];
  const ran = versions.filter((version) =>
    passed.some((one) => one.fullName.includes(`Weaviate ${version}`)),
  );
  const missing = versions.filter((version) => !ran.includes(version));
  const tested = ran.length > 0 ? `Tested on Weaviate ${ran.join(' and ')}.` : 'Tested on no real Weaviate.';
  const advice = ' `npm run weaviate -- --fill-cache` gets a missing server.';
  const untested = missing.length > 0 ? ` Not checked on ${missing.join(' and ')}:${advice}` : '';
  return { missing, sentence: tested + untested };
}

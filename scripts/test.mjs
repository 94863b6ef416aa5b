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
    `--reporter=${join(root, 'scripts', 'results-reporter.ts')}`,
    `--outputFile=${results}`,
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

/** Prints the tests to look at, the servers that the driver was tested on, and the totals. Returns the failures. */
function report(file) {
  let result;
  try {
    result = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    console.log(`No results from the test runner: ${error.message}`);
    console.log('0 passed, 1 failed');
    return 1;
  }
  const weaviate = weaviateVersions(result.weaviate);
  console.log(
    isQuick ? '`npm run test:all` tests more: all journeys, processes, real servers.' : weaviate.sentence,
  );
  for (const line of result.lines) console.log(line);
  const required = !isQuick && process.env.TRESTLE_REQUIRE_WEAVIATE ? weaviate.missing.length : 0;
  // Without a browser, the browser tests were skipped. With this variable, the skipped tests must count as a failure.
  const browser = !chromium && process.env.TRESTLE_REQUIRE_CHROMIUM ? 1 : 0;
  if (browser > 0) console.log('Chromium is required here and missing: no browser test ran.');
  const failures = result.failed + required + browser;
  console.log(
    `${result.passed} passed, ${failures} failed${result.skipped > 0 ? `, ${result.skipped} skipped` : ''}`,
  );
  return failures;
}

function weaviateVersions(ran) {
  const missing = ['1.39.0', '1.27.27'].filter((version) => !ran.includes(version));
  const tested = ran.length > 0 ? `Tested on Weaviate ${ran.join(' and ')}.` : 'Tested on no real Weaviate.';
  const advice = ' `npm run weaviate -- --fill-cache` gets a missing server.';
  const untested = missing.length > 0 ? ` Not checked on ${missing.join(' and ')}:${advice}` : '';
  return { missing, sentence: tested + untested };
}

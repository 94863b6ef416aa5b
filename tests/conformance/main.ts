import { revisions, runRevision, type Scored } from './revisions.ts';

/** `npm run conformance [REVISION …]` runs the official suite and prints a table for each revision. */
const wanted = process.argv.slice(2);
let failures = 0;
for (const revision of wanted.length > 0 ? wanted : Object.keys(revisions)) {
  if (!(revision in revisions))
    throw new Error(`${revision} is none of ${Object.keys(revisions).join(', ')}`);
  const results = await runRevision(revision);
  const scored = results.filter((result) => result.scored);
  const passed = scored.filter((result) => result.failed.length === 0);
  failures += scored.length - passed.length;
  console.log(`\n${revision}: ${passed.length} of ${scored.length} scored scenarios pass`);
  for (const result of results) console.log(line(result));
}
process.exitCode = failures > 0 ? 1 : 0;

function line({ scenario, passed, failed, warned, scored }: Scored): string {
  const outcome = failed.length > 0 ? (scored ? 'FAIL' : 'fail') : 'ok';
  const counts = `${passed} of ${passed + failed.length + warned.length} checks`;
  const head = `  ${outcome.padEnd(5)}${scenario.padEnd(52)}${counts}${scored ? '' : '  (not scored)'}`;
  const reasons = scored ? [...failed, ...warned] : [];
  return [head, ...reasons.map((reason) => `         ${reason.split('\n')[0]}`)].join('\n');
}

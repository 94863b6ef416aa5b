/** The runtime this build was made and tested with; package.json pins the exact version. */
export const requiredNode = '26.10';

/** Ends the process with one sentence on any other Node, before a missing built-in does it in worse words. */
export function refuseOtherNode(found = process.versions.node): void {
  if (found.startsWith(`${requiredNode}.`)) return;
  process.stderr.write(
    `Trestle needs Node ${requiredNode}, and this is Node ${found}. Start it with bin/trestle, which brings its own.\n`,
  );
  process.exit(1);
}

/** The Node version of this build. package.json pins the exact version. */
export const requiredNode = '26.10';

/** Ends the process with a clear message on any other Node, which may lack built-ins that the app needs. */
export function refuseOtherNode(found = process.versions.node): void {
  if (found.startsWith(`${requiredNode}.`)) return;
  process.stderr.write(
    `Trestle needs Node ${requiredNode}, and this is Node ${found}. Start it with bin/trestle, which brings its own Node.\n`,
  );
  process.exit(1);
}

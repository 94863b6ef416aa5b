// Runs a program of the repository on the pinned Node, after building the stale targets.
import { join } from 'node:path';
import { become, fail, prepare, root } from './prepare.mjs';

const [program, ...args] = process.argv.slice(2);
if (!program) fail('Usage: node scripts/run.mjs PROGRAM.ts [ARGUMENTS]');
const node = prepare();
become(node, [join(root, program), ...args], { cwd: root });

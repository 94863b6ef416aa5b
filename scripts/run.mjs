// Runs a program of the repository on the pinned Node, after building the stale targets. With --unbuilt, the program
// builds them itself, after it has checked its arguments.
import { join } from 'node:path';
import { become, fail, install, prepare, root } from './prepare.mjs';

const [first, ...rest] = process.argv.slice(2);
const [program, ...args] = first === '--unbuilt' ? rest : [first, ...rest];
if (!program) fail('Usage: node scripts/run.mjs [--unbuilt] PROGRAM.ts [ARGUMENTS]');
const node = first === '--unbuilt' ? install() : prepare();
become(node, [join(root, program), ...args], { cwd: root });

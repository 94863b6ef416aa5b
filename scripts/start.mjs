import { join } from 'node:path';
import { become, prepare, root } from './prepare.mjs';

const node = prepare();
// The same variable and flags as in bin/trestle.
process.env.MALLOC_ARENA_MAX = '1';
const trestle = join(root, 'dist', 'trestle.js');
become(node, ['--disable-sigusr1', '--max-semi-space-size=2', trestle, 'start', ...process.argv.slice(2)]);

import { join } from 'node:path';
import { ensureChromium } from './chromium.mjs';
import { prepare, root, run } from './prepare.mjs';

const node = prepare();
const chromium = ensureChromium();
run(node, [join(root, 'scripts', 'build.ts')]);
run(node, [join(root, 'bench', 'main.ts'), ...process.argv.slice(2)], {
  env: { ...process.env, ...(chromium && { TRESTLE_CHROMIUM: chromium }) },
});

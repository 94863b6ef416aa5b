import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The address of the running app. The development server sends requests for data there. */
const app = process.env.TRESTLE_ADDRESS ?? 'http://127.0.0.1:23507';

/** A shared file has the names of all parts that share it. The result must fit into the header of a tar file. */
function shortName(name: string): string {
  return name.replace(/\.[^.]*$/, '').replace(/~.*/, '');
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [react()],
  build: {
    outDir: '../../dist/ui',
    emptyOutDir: true,
    // With an older target, Vite rewrites modern colour functions.
    cssTarget: 'esnext',
    target: 'esnext',
    // The page's policy allows no inline script and no data: font.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      output: {
        chunkFileNames: ({ name }) => `assets/${shortName(name)}-[hash].js`,
        assetFileNames: ({ names }) => `assets/${shortName(names[0] ?? 'asset')}-[hash][extname]`,
        // By default, Rolldown writes a small file for each group of modules that two parts share. That caused
        // a hundred requests before the first screen. So shared files below 20 kB are merged. The code editor still has its
        // own files, which load only with an editor.
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'] },
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 20_000 },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/data', '/events', '/enter', '/download'].map((path) => [
        path,
        { target: app, changeOrigin: true, headers: { origin: app } },
      ]),
    ),
  },
});

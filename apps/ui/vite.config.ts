import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The running app, for the development server. */
const app = process.env.TRESTLE_ADDRESS ?? 'http://127.0.0.1:23507';

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [react()],
  build: {
    outDir: '../../dist/ui',
    emptyOutDir: true,
    // Anything lower makes Vite rewrite modern colour functions.
    cssTarget: 'esnext',
    target: 'esnext',
    // The page's policy admits no inline script and no data: font.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
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

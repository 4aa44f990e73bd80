/** How the pages are built: one build for all of them, to dist/web, with hashed names and nothing inline. */
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';

const here = import.meta.dirname;

export default {
  root: here,
  plugins: [react()],
  build: {
    outDir: resolve(here, '../dist/web'),
    emptyOutDir: true,
    target: 'es2023',
    assetsDir: 'assets',
    // The content security policy allows no data: styles and scripts, and the polyfill would be an inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rollupOptions: { input: { index: resolve(here, 'index.html') } },
  },
};

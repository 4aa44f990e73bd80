/** How the pages are built: one build for all of them, with hashed names and nothing inline. */
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';

const here = import.meta.dirname;

/** KaTeX names each font in three formats; browsers take the first. The others would only be carried along. */
const katexFonts = {
  name: 'katex-fonts',
  enforce: 'pre',
  transform: (code, id) =>
    id.endsWith('katex.min.css') ? code.replaceAll(/,url\([^)]+\.(?:woff|ttf)\) format\("\w+"\)/g, '') : undefined,
};

export default {
  root: here,
  plugins: [katexFonts, react()],
  build: {
    // From here scripts/lib/build-web.js puts the files to dist/web, each page after what it asks for.
    outDir: resolve(here, '../.cache/web'),
    emptyOutDir: true,
    target: 'es2023',
    assetsDir: 'assets',
    // The content security policy allows no data: styles and scripts, and the polyfill would be an inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rollupOptions: {
      input: Object.fromEntries(['index', 'portal', 'ops'].map((page) => [page, resolve(here, `${page}.html`)])),
    },
  },
};

/** How the pages are built: one build for all of them, with hashed names and nothing inline. */
import { basename, resolve } from 'node:path';
import react from '@vitejs/plugin-react';

const here = import.meta.dirname;

/** KaTeX names each font in three formats; browsers take the first. The others would only be carried along. */
const katexFonts = {
  name: 'katex-fonts',
  enforce: 'pre',
  transform: (code, id) =>
    id.endsWith('katex.min.css') ? code.replaceAll(/,url\([^)]+\.(?:woff|ttf)\) format\("\w+"\)/g, '') : undefined,
};

/** The chat's first script asks for the main one when it has asked for the data; the browser fetches both at once. */
const preloadMain = {
  name: 'preload-main',
  transformIndexHtml: {
    order: 'post',
    handler(html, { filename, bundle }) {
      if (basename(filename) !== 'index.html') return [];
      const main = Object.values(bundle).find(({ moduleIds }) => moduleIds?.some((id) => id.endsWith('chat/main.tsx')));
      const scripts = new Set([main.fileName]);
      for (const script of scripts) for (const each of bundle[script].imports) scripts.add(each);
      const styles = new Set([...scripts].flatMap((script) => [...(bundle[script].viteMetadata?.importedCss ?? [])]));
      const link = (rel) => (file) => ({ tag: 'link', attrs: { rel, crossorigin: true, href: `/${file}` } });
      return [...[...scripts].map(link('modulepreload')), ...[...styles].map(link('stylesheet'))].filter(
        ({ attrs }) => !html.includes(attrs.href),
      );
    },
  },
};

export default {
  root: here,
  plugins: [katexFonts, preloadMain, react()],
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

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

/**
 * The chat's scripts ask for each other; the browser fetches all at once. The first two are compiled as soon as they are there,
 * the large rest when it is wanted.
 */
const preloadParts = {
  name: 'preload-parts',
  transformIndexHtml: {
    order: 'post',
    handler(html, { filename, bundle }) {
      if (basename(filename) !== 'index.html') return [];
      const scriptsOf = (path) => {
        const part = Object.values(bundle).find(({ moduleIds }) => moduleIds?.some((id) => id.endsWith(path)));
        const scripts = new Set([part.fileName]);
        for (const script of scripts) for (const each of bundle[script].imports) scripts.add(each);
        return scripts;
      };
      const soon = scriptsOf('chat/start.ts');
      const later = [...scriptsOf('chat/main.tsx')].filter((script) => !soon.has(script));
      const scripts = [...soon, ...later];
      const styles = new Set(scripts.flatMap((script) => [...(bundle[script].viteMetadata?.importedCss ?? [])]));
      const link = (more) => (file) => ({
        tag: 'link',
        attrs: { ...more, crossorigin: true, href: `/${file}` },
        injectTo: 'head',
      });
      return [
        ...[...styles].map(link({ rel: 'stylesheet' })),
        ...[...soon].map(link({ rel: 'modulepreload' })),
        ...later.map(link({ rel: 'preload', as: 'script', fetchpriority: 'low' })),
      ].filter(({ attrs }) => !html.includes(attrs.href));
    },
  },
};

export default {
  root: here,
  plugins: [katexFonts, preloadParts, react()],
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

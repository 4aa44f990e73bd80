/** How the pages are built: one build for all of them, with hashed names and nothing inline. */
import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { icons, manifests, workerFiles } from './build/installable.mjs';

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
      const links = [
        ...[...soon].map(link({ rel: 'modulepreload', fetchpriority: 'high' })),
        ...[...styles].map(link({ rel: 'stylesheet' })),
        ...later.map(link({ rel: 'preload', as: 'script', fetchpriority: 'low' })),
      ];
      // Browsers open few connections to a server at once: what asks for the messages goes before the styles.
      const bare = html
        .replaceAll(/ *<link rel="(?:modulepreload|stylesheet)"[^>]*>\n/g, '')
        .replace('<script async', '<script async fetchpriority="high"');
      return { html: bare, tags: links.filter(({ attrs }) => !bare.includes(attrs.href)) };
    },
  },
};

/** Text shall have its font soon, but the browser fetches whatever the page needs to work before it. */
const preloadFont = {
  name: 'preload-font',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle }) {
      const font = Object.keys(bundle).find((file) => /inter-latin-wght-normal[^/]*\.woff2$/.test(file));
      const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${font}` };
      return [{ tag: 'link', attrs: { ...attrs, fetchpriority: 'low' }, injectTo: 'head' }];
    },
  },
};

/** For the pages that nodes render (docs.css): they know no hashed names. */
const fontsByName = {
  name: 'fonts-by-name',
  generateBundle() {
    for (const name of ['inter-latin', 'inter-latin-ext']) {
      const file = resolve(here, `../node_modules/@fontsource-variable/inter/files/${name}-wght-normal.woff2`);
      this.emitFile({ type: 'asset', fileName: `${name}.woff2`, source: readFileSync(file) });
    }
  },
};

/** What all pages have, and the chat before React is there: one file, because each costs a slow machine 10 ms to ask for. */
const COMMON =
  /web\/shared\/(?:texts\/(?:texts|dates|plain-dates)\.ts|ui\/(?:icon|icon-button|avatar|toasts|appearance|copy-text)\.tsx?|http\/message-of\.ts|lazy-part\.ts|session\/session\.ts|shell\/(?:side\.ts|count\.tsx|(?:shell|nav)\.module\.css))$|wouter\/src\/use-browser-location\.js$/;

/** Apart from it: all that the first script has to wait for. */
const REQUEST = /web\/shared\/http\/request\.ts$|vite\/preload-helper\.js$/;

export default {
  root: here,
  plugins: [katexFonts, preloadParts, preloadFont, fontsByName, icons, manifests, workerFiles, react()],
  build: {
    // From here scripts/lib/build/build-web.js puts the files to dist/web, each page after what it asks for.
    outDir: resolve(here, '../.cache/web'),
    emptyOutDir: true,
    target: 'es2023',
    assetsDir: 'assets',
    // The content security policy allows no data: styles and scripts, and the polyfill would be an inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rollupOptions: {
      output: {
        manualChunks: (id) => (REQUEST.test(id) ? 'request' : COMMON.test(id) ? 'common' : undefined),
        // Browsers ask for the worker by a name that stays.
        entryFileNames: ({ name }) => (name === 'worker' ? 'worker.js' : 'assets/[name]-[hash].js'),
      },
      input: {
        ...Object.fromEntries(['index', 'portal', 'ops'].map((page) => [page, resolve(here, `${page}.html`)])),
        worker: resolve(here, 'worker/worker.ts'),
      },
    },
  },
};

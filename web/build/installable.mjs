/** What makes the pages installable: icons from the product's mark, their manifest in each language, and the worker's list of files. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import sharp from 'sharp';

const MARK = resolve(import.meta.dirname, '../../src/kernel/api-docs/mark.svg');

/** Telephones cut maskable icons to their own shape: the drawing keeps to the middle, the ground reaches the edges. */
const maskable = (mark) =>
  mark
    .replace(' rx="8"', '')
    .replace('<path', '<g transform="translate(4.5 4.5) scale(.72)"><path')
    .replace('</svg>', '</g></svg>');

/** In a status bar: only its outline counts. */
const badge = (mark) => mark.replace(/<rect[^>]*>/, '').replace('#fcd34d', '#fff');

const ICONS = [
  { name: 'icon-192', size: 192, draw: (mark) => mark },
  { name: 'icon-512', size: 512, draw: (mark) => mark },
  { name: 'icon-maskable-512', size: 512, draw: maskable },
  { name: 'icon-apple-180', size: 180, draw: maskable },
  { name: 'icon-badge-96', size: 96, draw: badge },
];

export const icons = {
  name: 'icons',
  async generateBundle() {
    const mark = readFileSync(MARK, 'utf8');
    for (const { name, size, draw } of ICONS) {
      const drawing = sharp(Buffer.from(draw(mark)), { density: 72 * (size / 32) });
      const source = await drawing.resize(size, size).png({ compressionLevel: 9 }).toBuffer();
      this.emitFile({ type: 'asset', fileName: `${name}.png`, source });
    }
  },
};

const PUBLIC = resolve(import.meta.dirname, '../public');
const CATALOGUES = resolve(import.meta.dirname, '../shared/texts');
const readJson = (folder, name) => JSON.parse(readFileSync(resolve(folder, name), 'utf8'));

/** Shortcuts are called what the views are called that they lead to. */
function translated(manifest, lang, [english, texts]) {
  const nameOf = (name) => texts[Object.keys(english).find((key) => key.startsWith('view.') && english[key] === name)];
  const shortcuts = manifest.shortcuts?.map((each) => ({ ...each, name: nameOf(each.name) ?? each.name }));
  return {
    ...manifest,
    description: undefined,
    lang,
    dir: texts['language.direction'] ?? 'ltr',
    ...(shortcuts && { shortcuts }),
  };
}

/** `app.de.webmanifest` beside `app.webmanifest`, which is in English. `shared/texts/texts.ts` links to the one of its language. */
export const manifests = {
  name: 'manifests',
  generateBundle() {
    const english = readJson(CATALOGUES, 'en.json');
    const languages = readdirSync(CATALOGUES).filter((name) => name.endsWith('.json') && name !== 'en.json');
    for (const file of readdirSync(PUBLIC).filter((name) => name.endsWith('.webmanifest'))) {
      for (const name of languages) {
        const language = name.slice(0, -'.json'.length);
        const manifest = translated(readJson(PUBLIC, file), language, [english, readJson(CATALOGUES, name)]);
        const fileName = file.replace('.webmanifest', `.${language}.webmanifest`);
        this.emitFile({ type: 'asset', fileName, source: JSON.stringify(manifest) });
      }
    }
  },
};

/** Parts that the chat needs to start without a network, in any language. */
const WITHOUT_NETWORK = [
  'chat/early.ts',
  'chat/start.ts',
  'chat/main.tsx',
  'chat/shell/later.ts',
  'offline/open-kept.ts',
  'offline/shared.tsx',
  'recent/recent.tsx',
];
const TEXTS = /shared\/texts\/(?:refusals\/)?\w+\.json$/;

function filesOf(bundle) {
  const parts = Object.values(bundle).filter(({ moduleIds = [] }) =>
    moduleIds.some((id) => TEXTS.test(id) || WITHOUT_NETWORK.some((path) => id.endsWith(path))),
  );
  const files = new Set(parts.map(({ fileName }) => fileName));
  for (const file of files) for (const each of bundle[file].imports ?? []) files.add(each);
  for (const file of files) for (const each of bundle[file].viteMetadata?.importedCss ?? []) files.add(each);
  for (const file of Object.keys(bundle))
    if (/inter-latin-wght-normal[^/]*\.woff2$|\/mark[^/]*\.svg$/.test(file)) files.add(file);
  return [...files].toSorted((a, b) => (a < b ? -1 : 1));
}

/** Tells the worker which files belong to this build. The hash of the page keeps it from keeping that of another one. */
export const workerFiles = {
  name: 'worker-files',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const page = createHash('sha256').update(bundle['index.html'].source).digest('base64');
      const files = filesOf(bundle).map((file) => `/${file}`);
      const build = createHash('sha256')
        .update(JSON.stringify([page, files]))
        .digest('hex')
        .slice(0, 16);
      const worker = bundle['worker.js'];
      if (worker.imports.length > 0) throw new Error(`The worker shares code with pages: ${worker.imports.join()}`);
      worker.code = worker.code.replace('__SHELL__', JSON.stringify({ build, page: `sha256-${page}`, files }));
    },
  },
};

import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path/posix';
import { checkImports, layerOf } from '../../support/sources/architecture';
import { readDocument, root, tableRows } from './documents';

const page = readDocument('docs/ARCHITECTURE.md');
const rows = tableRows(page, ['layer', 'is', 'may import']);
const documented = new Map(rows.map(([layer = '', , may = '']) => [layer.replaceAll('`', ''), may.split(', ')]));

/** A file of each layer. */
const SAMPLES: Readonly<Record<string, string>> = {
  kernel: 'src/kernel/sample.ts',
  'kernel-entry': 'src/kernel/http/sample.ts',
  config: 'config/sample.ts',
  settings: 'src/chat/settings.ts',
  parts: 'src/chat/parts.ts',
  index: 'src/chat/index.ts',
  main: 'src/sample.ts',
  cli: 'cli/sample.ts',
  ...Object.fromEntries(
    'model rendering integrations carriers store caches actors queries commands http socket workers'
      .split(' ')
      .map((layer) => [layer, `src/chat/${layer}/sample.ts`]),
  ),
};

function isAllowed(from: string, to: string): boolean {
  const path = relative(dirname(from), to).replace(/\.ts$/, '');
  const text = `import { a } from '${path.startsWith('.') ? path : `./${path}`}';`;
  return checkImports([{ path: from, text }]).length === 0;
}

test('Each sample file is in its layer, and every layer in docs/ARCHITECTURE.md has a sample', () => {
  expect([...documented.keys()].sort()).toEqual(Object.keys(SAMPLES).sort());
  for (const [layer, path] of Object.entries(SAMPLES)) expect(layerOf(path)).toBe(layer);
});

test.each(Object.entries(SAMPLES))('docs/ARCHITECTURE.md says what the layer %s may import', (layer, from) => {
  const allowed = Object.entries(SAMPLES).filter(([, to]) => isAllowed(from, to));
  expect([...(documented.get(layer) ?? [])].sort()).toEqual(allowed.map(([name]) => name).sort());
});

test('docs/ARCHITECTURE.md names at most 40 files on the path of a sent message, and each exists', () => {
  const [, path = ''] = /## The path of a sent message\n([^]*?)\n## /.exec(page.text) ?? [];
  const files = [...path.matchAll(/^\d+\. `([^`]+)`/gm)].map((match) => match[1]!);
  expect(files.length).toBeGreaterThan(20);
  expect(files.length).toBeLessThanOrEqual(40);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

const LAYERS = ['http', 'commands', 'queries', 'store', 'model'];
const MAX_FILES = 25;

const layers = ['chat', 'telephony', 'ops'].flatMap((product) => LAYERS.map((layer) => ({ product, layer })));

/** The number of files in each folder, by relative paths; `top` itself is ''. */
function foldersOf(top: string): Map<string, number> {
  const entries = readdirSync(join(root, top), { recursive: true, withFileTypes: true });
  const folders = new Map<string, number>();
  for (const entry of entries.filter((each) => each.isFile())) {
    const folder = relative(join(root, top), entry.parentPath);
    folders.set(folder, (folders.get(folder) ?? 0) + 1);
  }
  folders.delete('migrations');
  return folders;
}

const tops = ['web', ...layers.map(({ product, layer }) => `src/${product}/${layer}`)];

test.each(tops)('No folder in %s holds more than 25 files of its own', (top) => {
  const full = [...foldersOf(top)].filter(([, files]) => files > MAX_FILES);
  expect(full).toEqual([]);
});

test('The folders in the layers of a product are the resources that docs/ARCHITECTURE.md lists', () => {
  const listed = tableRows(page, ['product', 'folder', 'in', 'holds']).map(([product, folder = '', where = '']) =>
    (where === 'all' ? LAYERS : [where]).map((layer) => `${product}/${layer}/${folder.replaceAll('`', '')}`),
  );
  const folders = layers.flatMap(({ product, layer }) =>
    [...foldersOf(`src/${product}/${layer}`).keys()].map((folder) => `${product}/${layer}/${folder.split('/')[0]}`),
  );
  const found = new Set(folders.filter((folder) => !folder.endsWith('/')));
  expect([...found].filter((folder) => !listed.flat().includes(folder))).toEqual([]);
  expect(listed.filter((places) => !places.some((folder) => found.has(folder)))).toEqual([]);
});

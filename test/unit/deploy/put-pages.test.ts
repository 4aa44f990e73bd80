// Built pages are copied to the directory that nodes serve, while nodes serve them.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { putPages } from '../../../scripts/lib/build/put-pages';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pages-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const write = (name: string, text: string) => {
  fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  fs.writeFileSync(path.join(folder, name), text);
};
const put = () => putPages(path.join(folder, 'built'), path.join(folder, 'web'));

test('A build of the pages replaces the one before', () => {
  for (const name of ['index.html', 'assets/index-2.js', 'assets/index-2.js.br']) write(`built/${name}`, 'new');
  for (const name of ['index.html', 'assets/index-1.js', '.stamp']) write(`web/${name}`, 'old');
  put();
  const files = fs.readdirSync(path.join(folder, 'web'), { recursive: true, encoding: 'utf8' }).toSorted();
  expect(files).toEqual(['assets', 'assets/index-2.js', 'assets/index-2.js.br', 'index.html']);
  expect(fs.readFileSync(path.join(folder, 'web/index.html'), 'utf8')).toBe('new');
});

test('A page is never there before the files that it refers to', () => {
  for (const name of ['index.html', 'portal.html', 'scripts/index-2.js']) write(`built/${name}`, 'new');
  // A file in place of a folder, so that the script cannot be written.
  for (const name of ['index.html', 'portal.html', 'scripts']) write(`web/${name}`, 'old');
  expect(put).toThrow();
  for (const name of ['index.html', 'portal.html']) {
    expect(fs.readFileSync(path.join(folder, 'web', name), 'utf8')).toBe('old');
  }
});

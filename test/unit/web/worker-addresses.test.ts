import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isShellAddress } from '../../../web/worker/addresses';

const chat = join(__dirname, '../../../web/chat');
const read = (name: string) => readFileSync(join(chat, name), 'utf8');

/** As they stand in the sources: `/settings/:page?/:id?`, `/all`. */
const routes = [...read('shell/chat-shell.tsx').matchAll(/<Route path="([^"]+)"/g)].map(([, path]) => path!);
const views = [...read('data/narrow.ts').matchAll(/'(\/[a-z]+)'/g)].map(([, path]) => path!);
const paths = [...new Set([...routes.map((path) => path.replace(/\/:.*$/, '')), ...views])];

test('Every page of the chat is one that starts without a network, and nothing else is', () => {
  expect(paths).toEqual(expect.arrayContaining(['/', '/scheduled', '/settings', '/streams', '/all', '/starred']));
  expect(paths.filter((path) => !isShellAddress(path))).toEqual([]);
  for (const path of ['/stream/1/topic/a', '/private/1,2', '/search/noon']) expect(isShellAddress(path)).toBe(true);
  for (const path of ['/portal', '/ops', '/streamsx', '/user_uploads/1', '/unsubscribe/1', '/docs', '/api/v1/messages'])
    expect(isShellAddress(path)).toBe(false);
});

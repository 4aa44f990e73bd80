import { byFirstWord } from '../../../../src/kernel/http/path-words';

const PATHS = ['/messages', '/messages/:id', '/users/me', '/:word', '/export{/:id}'];
const pathsFor = byFirstWord(
  '/api'.length,
  PATHS.map((path) => ({ path })),
  (some) => some.map(({ path }) => path),
);

test.each(['/api/messages', '/api/messages/', '/api/messages/7/history'])(
  'The path %s is compared with the routes of its first word and those with a parameter there',
  (path) => {
    expect(pathsFor(path)).toEqual(['/messages', '/messages/:id', '/:word', '/export{/:id}']);
  },
);

test.each(['/api', '/api/', '/api/Messages', '/api/%6Dessages', '/api/nothing', '/api/export/7'])(
  'The path %s, whose first word no route has, is compared with all routes in their order',
  (path) => {
    expect(pathsFor(path)).toEqual(PATHS);
  },
);

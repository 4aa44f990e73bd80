import Router from '@koa/router';
import { openRoutes } from '../../../src/kernel/http/route';
import { openRouting } from '../../../src/kernel/http/routing';
import type { Mount } from '../../../src/kernel/product';

const { get, post, del } = openRoutes;
const nothing = { summary: '', run: () => Promise.resolve() };
const SIMPLE = [
  get('/users/:id', nothing),
  get('/users/me', nothing),
  post('/users/:id', nothing),
  get('/users/:id/topics', nothing),
  get('/users/all/:kind', nothing),
  get('/:first/:second', nothing),
  del('/users/:id', nothing),
];
const WITH_PATTERN = [get('/files/*path', nothing), get('/files/:id', nothing)];

const mountOf = (prefix: string, routes: Mount['routes']): Mount => ({ prefix, routes, dialect: {} as never });

/** What a router does by itself, which tries every pattern. */
function byRouter({ prefix, routes }: Mount, method: string, path: string) {
  const router = new Router(prefix === '' ? {} : { prefix });
  for (const route of routes) router[route.method](route.path, () => {});
  const [layer] = router.match(path, method).pathAndMethod;
  return (
    layer && { path: String(layer.path).slice(prefix.length), pathParams: layer.params(path, layer.captures(path)) }
  );
}

const PATHS =
  '/users/7 /users/7/ /Users/7 /users/ /users /users//topics /users/7/topics /users/a%20b /users/%zz /users/%2F ' +
  '/users/all/bots /USERS/ALL/Bots /users/7/none /x/y /x/y/z /';

test.each(['', '/api'])('finds under "%s" what a router finds', (prefix) => {
  const mount = mountOf(prefix, SIMPLE);
  const routing = openRouting(mount, ({ path }) => path);
  // Twice, for what was found is remembered.
  for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'PUT', 'GET', 'HEAD', 'POST', 'DELETE', 'PUT']) {
    for (const path of PATHS.split(' ').map((each) => prefix + each)) {
      const found = routing.find(method, path);
      expect([method, path, found && { path: found.target, pathParams: found.pathParams }]).toEqual([
        method,
        path,
        byRouter(mount, method, path),
      ]);
    }
  }
});

test('a path without parameters goes before one with', () => {
  expect(openRouting(mountOf('', SIMPLE), ({ path }) => path).find('GET', '/users/me')?.target).toBe('/users/me');
});

test('of two routes with one path the first counts', () => {
  const [one, two] = [get('/x', nothing), get('/x', nothing)];
  const routing = openRouting(mountOf('', [one, two]), (route) => route);
  expect(routing.find('GET', '/x')?.target).toBe(one);
  expect(routing.find('GET', '/x/')?.target).toBe(one);
});

test('patterns of other kinds are left to the router, and so are all routes beside them', () => {
  const mount = mountOf('', WITH_PATTERN);
  const routing = openRouting(mount, ({ path }) => path);
  for (const path of ['/files/1', '/files/1/2', '/files']) {
    expect(routing.find('GET', path)?.target).toBe(byRouter(mount, 'GET', path)?.path);
  }
});

test('the methods by which a path is served', () => {
  const routing = openRouting(mountOf('/api', SIMPLE), ({ path }) => path);
  expect(routing.allowed('/api/users/7')).toEqual(['DELETE', 'GET', 'HEAD', 'POST']);
  expect(routing.allowed('/api/none')).toEqual([]);
});

/** Finds the route that a request is for. Of paths that several routes have, the first route counts. */
import Router from '@koa/router';
import type { Mount } from '../product';

export type PathParams = Readonly<Record<string, string>>;

export interface Found<T> {
  readonly target: T;
  readonly pathParams: PathParams;
}

export interface Routing<T> {
  find(method: string, path: string): Found<T> | undefined;
  /** The methods by which a path is served. */
  allowed(path: string): string[];
}

const NO_PARAMS: PathParams = {};
/** Every part is either the same in all paths or a parameter. */
const SIMPLE = /^(?:\/(?:[\w.-]+|:\w+))+$/;

/** A router tries the pattern of each route; simple paths are found without, and are all but a few. */
export function openRouting<T>({ prefix, routes }: Mount, targetOf: (route: Mount['routes'][number]) => T): Routing<T> {
  const router = new Router(prefix === '' ? {} : { prefix });
  const plain = new Map<string, Found<T>>();
  const patterns = new Map<string, Pattern<T>[]>();
  const targets = new Map<unknown, T>();
  const areSimple = routes.every(({ path }) => path === '/' || SIMPLE.test(path));

  for (const route of routes) {
    const target = targetOf(route);
    const stop = () => {};
    targets.set(stop, target);
    router[route.method](route.path, stop);
    const method = route.method.toUpperCase();
    const path = `${prefix}${route.path}`;
    if (!path.includes(':') && !plain.has(`${method} ${path}`) && !/[*({]/.test(path)) {
      plain.set(`${method} ${path}`, { target, pathParams: NO_PARAMS });
    }
    const parts = path.split('/');
    const key = `${method} ${parts.length}`;
    patterns.set(key, [...(patterns.get(key) ?? []), patternOf(parts, target)]);
  }

  function findAmongPatterns(method: string, path: string): Found<T> | undefined {
    const parts = path.split('/');
    const pattern = patterns.get(`${method} ${parts.length}`)?.find((each) => isMatch(each, parts));
    return pattern && { target: pattern.target, pathParams: paramsOf(pattern, parts) };
  }

  /** Whatever is left: HEAD, a slash at the end, patterns that are not simple. */
  function findByRouter(method: string, path: string): Found<T> | undefined {
    const [layer] = router.match(path, method).pathAndMethod;
    if (!layer) return undefined;
    const pathParams = layer.params(path, layer.captures(path));
    return { target: targets.get(layer.stack.at(-1))!, pathParams };
  }

  // No path is remembered: a piece of a path keeps the whole address alive, with whatever a stranger wrote behind it.
  return {
    find: (method, path) =>
      plain.get(`${method} ${path}`) ??
      (areSimple ? findAmongPatterns(method, path) : undefined) ??
      findByRouter(method, path),
    allowed: (path) => [...new Set(router.match(path, '').path.flatMap((layer) => layer.methods))].sort(),
  };
}

interface Pattern<T> {
  readonly target: T;
  /** In small letters, and where: large or small is all the same in a path. */
  readonly fixed: readonly (readonly [number, string])[];
  readonly params: readonly (readonly [number, string])[];
}

function patternOf<T>(parts: readonly string[], target: T): Pattern<T> {
  const placed = parts.map((part, at): [number, string] => [at, part]);
  return {
    target,
    fixed: placed.filter(([, part]) => !part.startsWith(':')).map(([at, part]) => [at, part.toLowerCase()]),
    params: placed.filter(([, part]) => part.startsWith(':')).map(([at, part]) => [at, part.slice(1)]),
  };
}

function isMatch({ fixed, params }: Pattern<unknown>, parts: readonly string[]): boolean {
  for (const [at, text] of fixed) {
    const part = parts[at]!;
    if (part !== text && part.toLowerCase() !== text) return false;
  }
  return params.every(([at]) => parts[at] !== '');
}

function paramsOf({ params }: Pattern<unknown>, parts: readonly string[]): PathParams {
  const values: Record<string, string> = {};
  for (const [at, name] of params) values[name] = decoded(parts[at]!);
  return values;
}

/** As the router does it: what is not well encoded stays as it is. */
function decoded(text: string): string {
  try {
    return text.includes('%') ? decodeURIComponent(text) : text;
  } catch {
    return text;
  }
}

/** A route is data: routes can be mounted, documented and tested without being run. */
import { z } from 'zod';
import type { AnswerPath } from '../answer-path';
import type { Fault } from '../fault';
import type { Kernel } from '../kernel';
import type { Incoming } from './incoming';
import type { Answer } from './answers';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Shape = Readonly<Record<string, z.ZodType>>;
/** The names in a path: `/users/:id` has `id`. */
type PathNames<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathNames<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? Name
    : never;
/** What the path names is text, unless the route says otherwise. */
type Values<P extends string, S extends Shape> = { readonly [K in keyof S]: z.output<S[K]> } & {
  readonly [K in Exclude<PathNames<P>, keyof S>]: string;
};

export interface Call<By, Params> {
  readonly kernel: Kernel;
  readonly by: By;
  readonly params: Params;
  readonly incoming: Incoming;
  /** Aborted when the client hangs up or the process drains. Work that waits must then stop. */
  readonly signal: AbortSignal;
  readonly answerPath: AnswerPath;
}

/** The facts about a route that are known without running it. */
export interface RouteFacts {
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  /** Its successful responses. */
  readonly answer: Answer;
  /** False: anyone may call it. */
  readonly authenticated: boolean;
  /** False: it does not count towards its caller's rate limit. */
  readonly limited: boolean;
  /** True: its response may be large or slow to find, so few are prepared at once and callers take turns. */
  readonly isExpensive: boolean;
  /** True: clients call it all the time, so successes are logged at debug level only. */
  readonly isFrequent: boolean;
  readonly status: number;
  /** True: it waits for a PBX or a shared batch and not for a row, so many of one caller may run at once. */
  readonly waitsElsewhere: boolean;
  /** The largest file it accepts; 0 for none. */
  readonly fileLimitBytes: number;
  /** True: the body is passed on as text and bytes, whatever its type. */
  readonly rawBody: boolean;
  /** The fields of a raw body, only for the API document. */
  readonly rawFields: Shape;
  /** Refusals besides those of every route: examples for the API document, whose statuses count. */
  readonly refuses: readonly Fault[];
  /** The product's terms for who may call it, for its wire format. */
  readonly admits: readonly string[];
  readonly params: Shape;
}

export interface Route<By> extends RouteFacts {
  readonly run: (call: Call<By, never>) => Promise<unknown>;
}

/** What a route declares: its facts, most of which have defaults. */
type RouteOptions<By, P extends string, S extends Shape> = Pick<RouteFacts, 'summary' | 'answer'> &
  Partial<Omit<RouteFacts, 'summary' | 'answer' | 'method' | 'path' | 'authenticated' | 'params'>> & {
    readonly params?: S;
    readonly run: (call: Call<By, Values<P, S>>) => Promise<unknown>;
  };

type Maker<By> = <const P extends string, const S extends Shape = Record<never, never>>(
  path: P,
  options: RouteOptions<By, P, S>,
) => Route<By>;

const namedIn = (path: string): Shape =>
  Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name]) => [name!, z.string()]));

const DEFAULTS = {
  status: 200,
  refuses: [],
  admits: [],
  isExpensive: false,
  isFrequent: false,
  waitsElsewhere: false,
  fileLimitBytes: 0,
  rawBody: false,
  rawFields: {},
};

function maker<By>(method: Method, authenticated: boolean): Maker<By> {
  return (path, { limited = true, run, params, ...options }) => ({
    ...DEFAULTS,
    ...options,
    method,
    path,
    authenticated,
    limited: limited && authenticated,
    params: { ...namedIn(path), ...params },
    run: run as Route<By>['run'],
  });
}

function makers<By>(authenticated: boolean) {
  return {
    get: maker<By>('get', authenticated),
    post: maker<By>('post', authenticated),
    put: maker<By>('put', authenticated),
    patch: maker<By>('patch', authenticated),
    del: maker<By>('delete', authenticated),
  };
}

/** Routes for authenticated callers. */
export const routesFor = <By>() => makers<By>(true);
/** Routes for anyone. */
export const openRoutes = makers<null>(false);

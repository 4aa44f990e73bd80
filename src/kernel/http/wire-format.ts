/** A wire format: how a product authenticates, reads parameters and writes responses. All share one route shape. */
import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import type { Tenant } from '../actor/address';
import type { Fault, FaultKind } from '../fault';
import type { Kernel, Storage } from '../kernel';
import type { Incoming } from './incoming';
import type { ParamIssue } from './params';
import type { RouteFacts } from './route';

type Parts = Storage & Pick<Kernel, 'keys' | 'log' | 'settings'>;

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  /** The media type of a text body; without it, the body is a value for JSON. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

export interface WireFormat<By> {
  /** Throws a Fault of kind `unauthenticated`. Sees only headers and query: a bad body must not win over it. */
  authenticate(kernel: Parts, incoming: Incoming, route: RouteFacts): Promise<By>;
  /** The key that a caller's requests are counted under. */
  limitKey(by: By): string;
  /** The caller's tenant; without it, callers have none. */
  tenantOf?(by: By): Tenant;
  /** True: an unknown parameter is an error. Otherwise it is ignored. */
  readonly refusesUnknownParams?: boolean;
  /** True: invalid UTF-8 in a body is an error, and lone surrogates are passed on. Otherwise both are repaired. */
  readonly refusesBrokenText?: boolean;
  rawParams(incoming: Incoming): Record<string, unknown>;
  invalidParams(issues: readonly ParamIssue[], raw: Readonly<Record<string, unknown>>): Fault;
  success(value: unknown, route: RouteFacts): Reply;
  failure(fault: Fault): Reply;
  /** Headers of every response of this product. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the request is from a page in a browser. It gets no challenge: the browser would open its own dialog. */
  readonly isFromPage?: (request: IncomingMessage) => boolean;
  /** Body types it accepts. By default, JSON if mounted at the root, forms otherwise. */
  readonly bodyTypes?: readonly string[];
  /** Possible refusals of a route, as examples for the OpenAPI document. */
  readonly refusalsOf?: (route: RouteFacts) => readonly Fault[];
  /** The schema of what `success` makes of a value; by default, the schema of the value itself. */
  readonly envelope?: (schema: z.ZodType) => z.ZodType;
  /** The schema of all failure bodies. Its id is its name in the OpenAPI document. */
  readonly failureBody: z.ZodType;
  /** The media type of all failures, if it is not JSON. */
  readonly failureType?: string;
  /** How the OpenAPI document describes its credentials. */
  readonly security: { readonly name: string; readonly schemes: Readonly<Record<string, unknown>> };
}

/** Both specifications answer a conflict with 400. */
const STATUS: Readonly<Record<FaultKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  'wrong-method': 405,
  conflict: 400,
  gone: 410,
  'too-large': 413,
  unsupported: 415,
  'too-many': 429,
  upstream: 502,
  unavailable: 503,
  timeout: 504,
  internal: 500,
};

export const statusOf = (fault: Fault): number => STATUS[fault.kind];

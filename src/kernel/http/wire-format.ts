/** What makes one route shape serve two wires: how a product authenticates, reads parameters and writes answers. */
import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import type { Tenant } from '../actor/address';
import type { Fault, FaultKind } from '../fault';
import type { Kernel } from '../kernel';
import type { Incoming } from './incoming';
import type { ParamIssue } from './params';
import type { RouteFacts } from './route';

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  /** The media type of a body that is text; without it, the body is a value for JSON. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface WireFormat<By> {
  /** Throws a Fault of kind unauthenticated. Only headers and query are there to look at: a bad body must not win. */
  authenticate(kernel: Kernel, incoming: Incoming, route: RouteFacts): Promise<By>;
  /** Whose requests are counted together. */
  limitKey(by: By): string;
  /** Whose organisation's or company's they are; without it, nobody's. */
  tenantOf?(by: By): Tenant;
  /** True: a parameter that the route does not know is an error, not passed over. */
  readonly refusesUnknownParams?: boolean;
  /** True: invalid UTF-8 in a body is an error, and lone surrogates are passed on. Otherwise both are repaired. */
  readonly refusesBrokenText?: boolean;
  rawParams(incoming: Incoming): Record<string, unknown>;
  invalidParams(issues: readonly ParamIssue[], raw: Readonly<Record<string, unknown>>): Fault;
  success(value: unknown, route: RouteFacts): Reply;
  failure(fault: Fault): Reply;
  /** On every answer of this product. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether a page in a browser asks. It gets no challenge: the browser would open a dialog of its own. */
  readonly isFromPage?: (request: IncomingMessage) => boolean;
  /** Types of body it takes; without it, JSON at the root and forms below it. */
  readonly bodyTypes?: readonly string[];
  /** What a route may refuse, as examples for the OpenAPI document. */
  readonly refusalsOf?: (route: RouteFacts) => readonly Fault[];
  /** The schema of what `success` makes of a value; without it, of the value itself. */
  readonly envelope?: (schema: z.ZodType) => z.ZodType;
  /** The schema that all bodies of failures have. Its id is its name in the OpenAPI document. */
  readonly failureBody: z.ZodType;
  /** The media type of all failures where it is not JSON. */
  readonly failureType?: string;
  /** How its credentials are described in the OpenAPI document. */
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

/** How telephony speaks HTTP: a company's key and a contact, JSON, and a problem body for every error. */
import { STATUS_CODES } from 'node:http';
import { Fault, type FaultKind } from '../../kernel/fault';
import type { Dialect } from '../../kernel/http/dialect';
import type { Caller } from '../model/contact';
import { findCaller } from '../queries/find-caller';

const STATUS: Readonly<Record<FaultKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  'wrong-method': 405,
  conflict: 400,
  'too-large': 413,
  unsupported: 415,
  'too-many': 429,
  upstream: 502,
  unavailable: 503,
  internal: 500,
};

export const telephonyDialect: Dialect<Caller> = {
  headers: { 'Cache-Control': 'private, no-store', Vary: 'Authorization, X-User-Id' },
  security: {
    name: 'companyKey',
    schemes: {
      companyKey: {
        type: 'http',
        scheme: 'bearer',
        description: "The company's API key; X-User-Id names a contact or is `primary`",
      },
    },
  },

  authenticate: (kernel, incoming) =>
    findCaller(kernel, {
      authorization: incoming.header('authorization'),
      userId: incoming.header('x-user-id'),
      from: incoming.ip,
    }),

  limitKey: (by) => `tel:${by.companyId}:${by.contactId}`,

  rawParams({ query, body, pathParams, method }) {
    const fields = method !== 'GET' && typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {};
    return { ...query, ...fields, ...pathParams };
  },

  invalidParams: (issues) =>
    new Fault(
      'invalid',
      issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ') || 'Invalid request',
    ),

  success: (value, route) => ({ status: route.status, body: value }),

  failure(fault) {
    const status = STATUS[fault.kind];
    return {
      status,
      body: { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail: fault.message },
    };
  },
};

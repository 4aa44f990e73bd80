/** The operators' HTTP wire format: a key or session, JSON, and a problem body for every error. */
import { STATUS_CODES } from 'node:http';
import { Fault } from '../../kernel/fault';
import { statusOf, type WireFormat, type Reply } from '../../kernel/http/wire-format';
import { otherOrigin, pageTokenRequired, sessionEnded } from '../../kernel/sessions/page-faults';
import { plainWords } from '../../kernel/text/plain-words';
import { isFromPage } from '../../kernel/web-pages/page-requests';
import { problem as problemSchema } from '../model/answers';
import { mayOnlyLook, noSuchWorkQueue, noSuchKind, noSuchQueue, unknownOperator, wrongKey } from '../model/faults';
import { OPERATOR_COOKIE } from '../model/operator';
import { admitOperator, READERS, type Access, type Caller } from './access';

const problem = (status: number, detail: string) => ({
  type: 'about:blank',
  title: STATUS_CODES[status] ?? 'Error',
  status,
  detail,
});

function failure(fault: Fault): Reply {
  const status = statusOf(fault);
  const { kind, code } = fault;
  // Pages decide by the code what to do next.
  const isAboutAccess = kind === 'unauthenticated' || kind === 'forbidden';
  return { status, body: { ...problem(status, fault.message), ...(isAboutAccess && code !== undefined && { code }) } };
}

export const opsWireFormat = (access: Access): WireFormat<Caller> => ({
  headers: {
    'Cache-Control': 'private, no-store',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Authorization, Cookie',
  },
  security: {
    name: 'operatorKey',
    schemes: {
      operatorKey: {
        type: 'http',
        scheme: 'bearer',
        description: 'The key of a server operator (partyline operator add)',
      },
    },
  },
  bodyTypes: ['application/json'],
  failureBody: problemSchema,
  isFromPage: isFromPage(OPERATOR_COOKIE),
  refusalsOf: ({ method, path, authenticated, admits, refuses }) => [
    ...refuses,
    ...(authenticated ? [unknownOperator(), sessionEnded(), pageTokenRequired()] : []),
    otherOrigin(),
    ...(path === '/session' && method === 'post' ? [wrongKey()] : []),
    ...(authenticated && method !== 'get' && !admits.includes(READERS) ? [mayOnlyLook('Grace')] : []),
    ...(path.startsWith('/queues/') ? [noSuchQueue('nothing')] : []),
    ...(path.startsWith('/tenants') ? [noSuchKind('nothing', ['organisation', 'company'])] : []),
    ...(/^\/(jobs|dead-letters)/.test(path) ? [noSuchWorkQueue('nothing', ['deliveries', 'queues'])] : []),
  ],

  authenticate: (_kernel, incoming, route) => admitOperator(access, incoming, route),
  limitKey: (by) => `ops:${by.name}`,

  // A filter with a misspelt name would match everything, and everything would be discarded.
  refusesUnknownParams: true,
  rawParams({ query, body, pathParams, method }) {
    if (method === 'GET' || method === 'HEAD') return { ...query, ...pathParams };
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
    if (!isObject) throw new Fault('invalid', 'The body must be a JSON object');
    return { ...query, ...body, ...pathParams };
  },

  invalidParams: (issues) =>
    new Fault(
      'invalid',
      issues
        .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${plainWords(message)}`))
        .join('; '),
    ),

  success: (value, route) => ({ status: route.status, body: value }),

  failure,
});

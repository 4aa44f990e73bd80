/** How telephony speaks HTTP: a company's key and a contact, JSON, and a problem body for every error. */
import { Fault } from '../../kernel/fault';
import { statusOf, type Dialect } from '../../kernel/http/dialect';
import type { Incoming } from '../../kernel/http/incoming';
import type { ParamIssue } from '../../kernel/http/params';
import type { Caller } from '../model/contact';
import { problemObject } from '../model/problem';
import { findCaller } from '../queries/find-caller';
import { PROBLEM, refusalsOf } from './refusals';

export const telephonyDialect: Dialect<Caller> = {
  headers: { 'Cache-Control': 'private, no-store', Vary: 'Authorization, X-User-Id' },
  refusalsOf,
  failureBody: PROBLEM,
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

  rawParams(incoming) {
    const { query, body, pathParams, method } = incoming;
    if (method !== 'GET' && method !== 'HEAD') checkType(incoming);
    const fields = method !== 'GET' && typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {};
    return { ...query, ...fields, ...pathParams };
  },

  invalidParams: (issues) =>
    new Fault(
      'invalid',
      issues.map((issue) => `${issue.path.join('.')}: ${plainWords(issue)}`).join('; ') || 'Invalid request',
    ),

  success: (value, route) => ({ status: route.status, body: value }),

  failure(fault) {
    const status = statusOf(fault);
    return { status, body: problemObject(status, fault.message) };
  },
};

/** A body of another type would be taken for an empty one, and nobody would know why nothing changed. */
function checkType(incoming: Incoming): void {
  const type = incoming.header('content-type');
  const isEmpty = incoming.header('content-length') in { '': 0, '0': 0 } && incoming.header('transfer-encoding') === '';
  if (isEmpty || /^\s*(application\/([\w.-]+\+)?json|text\/csv)\b/i.test(type) || type.startsWith('multipart/')) return;
  throw new Fault('invalid', 'The body must be sent with "Content-Type: application/json"');
}

/** What the validator says, as one would say it to a person. */
function plainWords({ message, refusal }: ParamIssue): string {
  if (refusal === 'wrong-type' && message.endsWith('received undefined')) return 'is required';
  const [, expected] = /^Invalid input: expected (\w+)/.exec(message) ?? [];
  if (expected !== undefined) return `must be of type ${expected}`;
  const [, least] = /^Too small: expected string to have >=(\d+) characters/.exec(message) ?? [];
  if (least !== undefined) return least === '1' ? 'must not be empty' : `must have at least ${least} characters`;
  const [, most] = /^Too big: expected string to have <=(\d+) characters/.exec(message) ?? [];
  if (most !== undefined) return `must have at most ${most} characters`;
  return message === 'Invalid input' ? 'is not valid' : message;
}

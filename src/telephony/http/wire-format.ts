/** Telephony's HTTP wire format: a company's key and a contact, JSON, and a problem body for every error. */
import { statusOf, type WireFormat } from '../../kernel/http/wire-format';
import type { Incoming } from '../../kernel/http/incoming';
import { searchableId } from '../../kernel/id';
import { JSON_TYPE } from '../../kernel/http/body';
import { brokenTexts } from '../model/broken-text';
import { companyTenant } from '../model/companies/company';
import { callerKey, type Caller } from '../model/contacts/contact';
import { invalid } from '../model/faults';
import { sayIssues } from '../../kernel/text/plain-words';
import { problemTypeOf } from '../model/portal/portal-faults';
import { problem, problemObject } from '../model/problem';
import { findCaller, type Shown } from '../queries/companies/find-caller';
import { refusalsOf } from './refusals';

export const telephonyWireFormat: WireFormat<Caller> = {
  headers: { 'Cache-Control': 'private, no-store', Vary: 'Authorization, X-User-Id' },
  refusalsOf,
  failureBody: problem,
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

  authenticate: (kernel, incoming, route) => findCaller(kernel, shownIn(incoming), route),

  limitKey: callerKey,
  tenantOf: (by) => companyTenant(by.companyId),

  refusesBrokenText: true,

  rawParams(incoming) {
    const { query, body, pathParams, method } = incoming;
    if (method !== 'GET' && method !== 'HEAD') {
      checkType(incoming);
      checkShape(incoming);
    }
    const fields = method !== 'GET' && typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {};
    const raw = { ...query, ...fields };
    const broken = brokenTexts(raw);
    if (broken.length > 0) throw invalid(sayIssues(broken, raw));
    return { ...raw, ...askedIds(pathParams) };
  },

  invalidParams: (issues, raw) => invalid(sayIssues(issues, raw)),

  success: (value, route) => ({ status: route.status, body: value }),

  failure(fault) {
    const status = statusOf(fault);
    return { status, body: problemObject(status, fault.message, problemTypeOf(fault)) };
  },
};

/** The credentials of a request. */
export const shownIn = (incoming: Incoming): Shown => ({
  authorization: incoming.header('authorization'),
  userId: incoming.header('x-user-id'),
  from: incoming.ip,
});

/** Path parameters are always ids or tokens. */
const askedIds = (pathParams: Incoming['pathParams']): Record<string, string> =>
  Object.fromEntries(Object.entries(pathParams).map(([name, written]) => [name, searchableId(written)]));

/** A body of another type would be read as empty, and the client would not learn why nothing changed. */
function checkType(incoming: Incoming): void {
  const type = incoming.header('content-type');
  const isEmpty = incoming.header('content-length') in { '': 0, '0': 0 } && incoming.header('transfer-encoding') === '';
  if (isEmpty || JSON_TYPE.test(type) || /^\s*text\/csv\b/i.test(type) || type.startsWith('multipart/')) return;
  throw invalid('The body must be sent with "Content-Type: application/json"');
}

/** Only a bulk order is a list, and a deletion may list its ids. */
function checkShape({ method, path, body }: Incoming): void {
  if (!Array.isArray(body) || method === 'DELETE' || /\/import\/?$/.test(path)) return;
  throw invalid('The body must be a JSON object, not a list');
}

/** Calls Asterisk's REST interface (ARI) and interprets its answers. */
import type { HttpReply } from '../../../kernel/outbound/http-exchange';
import { fieldsOf, type Attributes, type ObjectType } from './asterisk-objects';
import { AccessRefused, PbxError, type CallContext } from './driver';
import { callPbx, readJson } from './pbx-http';

export interface AsteriskApi {
  /** Returns undefined if Asterisk says that the object does not exist. */
  call(method: string, path: string, context: CallContext, body?: object): Promise<unknown>;
  put(object: ObjectRef, attributes: Attributes, context: CallContext): Promise<void>;
  get(object: ObjectRef, context: CallContext): Promise<Attributes | undefined>;
  /** Transports have names, and are written by hand in Asterisk's configuration. */
  hasTransport(name: string, context: CallContext): Promise<boolean>;
  /** Returns false if there was no such object. */
  remove(object: ObjectRef, context: CallContext): Promise<boolean>;
}

export type ObjectRef = readonly [type: ObjectType, number: number];

/** Only these 404 messages mean "not found". Others mean that Asterisk is starting or lacks a module. */
const MISSING = /^(Object with id '.*' not found|No Endpoints found - invalid tech PJSIP|Channel not found)$/;

/** With objects kept in memory, Asterisk cannot change an endpoint once it has a channel variable. */
export const isStuck = (error: unknown): boolean =>
  error instanceof PbxError && error.message.endsWith(': Allocation failed');

/** The suffix follows the number in the names of objects. */
export function asteriskApi(address: string, credentials: string, suffix = ''): AsteriskApi {
  const base = `${address.replace(/\/(ari\/?)?$/, '')}/ari`;
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;

  const call: AsteriskApi['call'] = async (method, path, context, body) => {
    const reply = await callPbx(`${base}${path}`, {
      method,
      deadlineMs: context.deadlineMs,
      headers: { Authorization: authorization, ...(body ? { 'Content-Type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return meaningOf(reply);
  };

  const PJSIP = '/asterisk/config/dynamic/res_pjsip';
  const pathOf = ([type, number]: ObjectRef) => `${PJSIP}/${type}/${encodeURIComponent(`${number}${suffix}`)}`;

  return {
    call,
    async put(object, attributes, context) {
      const shown = await call('PUT', pathOf(object), context, fieldsOf(attributes));
      if (!Array.isArray(shown)) throw new PbxError('cut', 'The PBX sent no attributes');
    },
    async get(object, context) {
      const answer = await call('GET', pathOf(object), context);
      if (answer === undefined) return undefined;
      if (!Array.isArray(answer)) throw new PbxError('cut', 'The PBX sent no attributes');
      return Object.fromEntries(
        (answer as { attribute: string; value: string }[]).map((each) => [each.attribute, each.value]),
      );
    },
    async hasTransport(name, context) {
      // A URL would drop these two.
      if (name === '.' || name === '..') return false;
      return (await call('GET', `${PJSIP}/transport/${encodeURIComponent(name)}`, context)) !== undefined;
    },
    remove: async (object, context) => (await call('DELETE', pathOf(object), context)) !== undefined,
  };
}

function meaningOf({ status, text }: HttpReply): unknown {
  if (status >= 200 && status < 300) return readJson(text) ?? null;
  // An HTML page from Asterisk's web server: the REST interface is not up yet.
  if (status === 503 || (status === 404 && text.trimStart().startsWith('<'))) {
    throw new PbxError('away', 'The PBX is starting, or its REST interface is switched off');
  }
  const said = wordsIn(readJson(text));
  if (status === 404 && MISSING.test(said)) return undefined;
  if (status === 401) throw new AccessRefused();
  // A 404 for an unknown class or type of objects says nothing about this object.
  const isRefusal = status < 500 && status !== 404;
  throw new PbxError(isRefusal ? 'refused' : 'error', `The PBX answered ${status}: ${said.slice(0, 200)}`);
}

function wordsIn(answer: unknown): string {
  const { message, error } = (answer ?? {}) as { message?: unknown; error?: unknown };
  const said = message ?? error;
  return typeof said === 'string' ? said : '';
}

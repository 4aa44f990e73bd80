/**
 * The driver of an Asterisk by its REST interface: an extension is three objects, written in the order in which they
 * need each other. The endpoint, which is last, carries the operation's id in a channel variable.
 */
import type { Kernel } from '../../../kernel/kernel';
import { markOf } from '../../model/sealing';
import type { Instance } from '../../model/site';
import { aorOf, authOf, endpointOf, nameIn, operationIn, shownOf, type Attributes } from './asterisk-objects';
import { PbxError, type CallContext, type Held, type PbxDriver } from './driver';
import { callPbx, healthBy, inTheMiddle, readJson, splitCredentials, untilDeadline } from './pbx-http';

type ObjectType = 'auth' | 'aor' | 'endpoint';
const LOOKS_AT_ONCE = 16;

export function asteriskAri(kernel: Kernel, instance: Instance & { readonly credentials?: string | null }): PbxDriver {
  const base = `${instance.address.replace(/\/(ari\/?)?$/, '')}/ari`;
  const [user, password] = splitCredentials(instance.credentials ? kernel.secrets.decrypt(instance.credentials) : '');
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

  /** Undefined: there is no such object. */
  async function call(method: string, path: string, context: CallContext, body?: object): Promise<unknown> {
    const { status, text } = await callPbx(`${base}${path}`, {
      method,
      deadlineMs: context.deadlineMs,
      headers: { Authorization: authorization, ...(body ? { 'Content-Type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (status === 404 && method !== 'PUT') return undefined;
    const answer = readJson(text);
    if (status >= 200 && status < 300) return answer ?? null;
    const { message = '' } = (answer ?? {}) as { message?: string };
    if (status === 401) throw new PbxError('refused', 'The PBX refuses our credentials');
    throw new PbxError(status < 500 ? 'refused' : 'error', `The PBX answered ${status}: ${message.slice(0, 200)}`);
  }

  const objectPath = (type: ObjectType, number: number) => `/asterisk/config/dynamic/res_pjsip/${type}/${number}`;

  async function put(extension: Held, context: CallContext): Promise<void> {
    const step = untilDeadline(context);
    const objects: [ObjectType, Attributes][] = [
      ['auth', authOf(extension)],
      ['aor', aorOf(extension)],
      ['endpoint', endpointOf(extension)],
    ];
    for (const [index, [type, attributes]] of objects.entries()) {
      const fields = Object.entries(attributes).map(([attribute, value]) => ({ attribute, value }));
      await call('PUT', objectPath(type, extension.number), step(), { fields }).catch((error: unknown) => {
        throw index === 0 ? error : inTheMiddle(error);
      });
    }
    await kernel.pause('mid-call');
  }

  async function attributesOf(type: ObjectType, number: number, context: CallContext): Promise<Attributes | undefined> {
    const answer = await call('GET', objectPath(type, number), context);
    if (answer === undefined) return undefined;
    if (!Array.isArray(answer)) throw new PbxError('cut', 'The PBX sent no attributes');
    return Object.fromEntries(
      (answer as { attribute: string; value: string }[]).map((each) => [each.attribute, each.value]),
    );
  }

  async function get(number: number, context: CallContext): Promise<Held | undefined> {
    const [auth, aor, endpoint] = await Promise.all(
      (['auth', 'aor', 'endpoint'] as const).map((type) => attributesOf(type, number, context)),
    );
    if (!auth && !aor && !endpoint) return undefined;
    const secret = auth?.['password'] ?? '';
    const isPartial = !auth || !aor || !endpoint;
    // Without its endpoint it is only its secret that tells whose it is.
    const operation = endpoint ? operationIn(endpoint) : markOf(kernel.secrets, instance.uuid, { number, secret });
    const shown = { ...endpoint, max_contacts: aor?.['max_contacts'], name: nameIn(endpoint), secret };
    return { number, ...shown, ...(operation === undefined ? {} : { operation }), ...(isPartial ? { isPartial } : {}) };
  }

  async function endpoints(context: CallContext): Promise<{ resource: string; state: string }[]> {
    const answer = await call('GET', '/endpoints/PJSIP', context);
    if (answer !== undefined && !Array.isArray(answer)) throw new PbxError('cut', 'The PBX sent no list');
    // Trunks and the like have names.
    return ((answer ?? []) as { resource: string; state: string }[]).filter(({ resource }) => /^\d+$/.test(resource));
  }

  return {
    create: put,
    update: put,
    async delete(number, context) {
      const step = untilDeadline(context);
      for (const [index, type] of (['endpoint', 'auth', 'aor'] as const).entries()) {
        await call('DELETE', objectPath(type, number), step()).catch((error: unknown) => {
          throw index === 0 ? error : inTheMiddle(error);
        });
      }
      await kernel.pause('mid-call');
    },
    get,
    async list(context) {
      const numbers = (await endpoints(context)).map(({ resource }) => Number(resource));
      const all: Held[] = [];
      // It has no list of whole objects: each is asked for, a few at a time.
      for (let at = 0; at < numbers.length; at += LOOKS_AT_ONCE) {
        const found = await Promise.all(numbers.slice(at, at + LOOKS_AT_ONCE).map((number) => get(number, context)));
        all.push(...found.filter((each) => each !== undefined));
      }
      return all;
    },
    health: (context) =>
      healthBy(async () => {
        const info = (await call('GET', '/asterisk/info?only=system,status', context)) as {
          system?: { version?: string };
        };
        return `Asterisk ${info?.system?.version ?? ''}`;
      }),
    shows: shownOf,
    async registered(numbers, context) {
      const there = new Set(
        (await endpoints(context)).flatMap((each) => (each.state === 'online' ? [each.resource] : [])),
      );
      return numbers.filter((number) => there.has(String(number)));
    },
  };
}

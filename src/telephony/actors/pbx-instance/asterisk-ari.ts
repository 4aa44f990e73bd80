/**
 * PBX driver for Asterisk over its REST interface. An extension is three PJSIP objects, written in dependency order.
 * The endpoint comes last and carries the operation's id in `callerid_tag`. With an AMI user, what becomes of calls is
 * written before it (asterisk-calls.ts).
 */
import type { Kernel } from '../../../kernel/kernel';
import { markOf } from '../../model/extensions/sealing';
import { numberIn, spaceOf, suffixOf, type Instance } from '../../model/sites/site';
import type { AmiSessions } from './asterisk-ami';
import { asteriskApi, isStuck, type ObjectRef } from './asterisk-api';
import { asteriskArrangements, asteriskForwards } from '../pbx-arrangements/asterisk-arrangements';
import { asteriskCalls, NO_CALLS, type HeldCalls } from './asterisk-calls';
import { USUAL_CODECS } from './asterisk-codecs';
import * as objects from './asterisk-objects';
import { asteriskPhoneCalls, emergencyKeeper } from '../pbx-arrangements/asterisk-phone-calls';
import { PbxError, type CallContext, type Held, type PbxDriver } from './driver';
import { healthBy, pageDeadlines, throwInTheMiddle, untilDeadline } from './pbx-http';

type Parts = Pick<Kernel, 'pause' | 'secrets'>;

const LOOKS_AT_ONCE = 16;

type Connected = Instance & { readonly credentials?: string | null };

export function asteriskAri(kernel: Parts, instance: Connected, sessions: AmiSessions): PbxDriver {
  const credentials = instance.credentials ? kernel.secrets.decrypt(instance.credentials) : '';
  const space = spaceOf(instance);
  const suffix = suffixOf(space);
  const api = asteriskApi(instance.address, credentials, suffix);
  const naming = { codecs: instance.details['codecs'] ?? USUAL_CODECS, suffix };
  const ami = sessions.of(instance, kernel.secrets);
  const calls = ami && asteriskCalls(api, ami, space);
  const withLamp = (extension: Held): Held => calls?.withLamp(extension) ?? extension;

  async function put(extension: Held, context: CallContext): Promise<void> {
    const { number } = extension;
    const step = untilDeadline(context);
    const before = await api.get(['auth', number], step());
    const isNewSecret = before !== undefined && before['password'] !== extension['secret'];
    const writes: (() => Promise<void>)[] = objects.objectsOf(withLamp(extension), naming).map(
      ([type, attributes]) =>
        () =>
          write([type, number], attributes, step),
    );
    // Before the endpoint, which makes the number callable.
    if (calls) writes.splice(-1, 0, () => calls.write(extension, context, step));
    // A phone stays registered even if its secret changes. Removing the aor ends the registration, and the phone cannot
    // return before the new secret is written.
    await inOrder(isNewSecret ? [() => api.remove(['aor', number], step()), ...writes] : writes);
    await kernel.pause('mid-call');
  }

  async function write(object: ObjectRef, attributes: objects.Attributes, step: () => CallContext) {
    await api.put(object, attributes, step()).catch(async (error: unknown) => {
      if (object[0] !== 'endpoint' || !isStuck(error)) throw error;
      await api.remove(object, step());
      await api.put(object, attributes, step());
    });
  }

  const readCalls = (number: number, context: CallContext): Promise<HeldCalls> | undefined =>
    calls?.read(number, context);

  async function get(number: number, context: CallContext, read = readCalls): Promise<Held | undefined> {
    const [found, call = {}] = await Promise.all([
      Promise.all(objects.OBJECT_TYPES.map((type) => api.get([type, number], context))),
      read(number, context),
    ]);
    if (found.some((each) => each !== undefined)) return heldOf(number, found, call);
    return call.shown && { number, ...call.shown, ...marked(call.operation), ...pinOf(call), isPartial: true };
  }

  function heldOf(number: number, found: readonly (objects.Attributes | undefined)[], call: HeldCalls): Held {
    const [auth, , endpoint] = found;
    const secret = auth?.['password'] ?? '';
    // Without its endpoint, only the secret tells which operation wrote the extension.
    const operation = endpoint
      ? objects.operationIn(endpoint)
      : markOf(kernel.secrets, instance.uuid, { number, secret });
    return {
      ...objects.merged(found),
      ...(calls ? { ...NO_CALLS, ...call.shown } : {}),
      number,
      ...marked(operation),
      ...pinOf(call),
      ...(found.every((each) => each !== undefined) ? {} : { isPartial: true }),
    };
  }

  async function endpoints(context: CallContext): Promise<{ number: number; state: string }[]> {
    const answer = (await api.call('GET', '/endpoints/PJSIP', context)) ?? [];
    if (!Array.isArray(answer)) throw new PbxError('cut', 'The PBX sent no list');
    // Trunks and similar endpoints have names, not numbers; those of other companies another suffix.
    return (answer as { resource: string; state: string }[]).flatMap(({ resource, state }) => {
      const number = numberIn(resource, suffix);
      return number === undefined ? [] : [{ number, state }];
    });
  }

  return {
    create: put,
    update: put,
    async delete(number, context) {
      const step = untilDeadline(context);
      await inOrder([
        async () => {
          if (await api.remove(['endpoint', number], step())) return;
          // An endpoint without codecs exists but cannot be read or deleted. Writing it again makes it deletable.
          await api.put(['endpoint', number], objects.bareEndpoint(number, naming), step());
          await api.remove(['endpoint', number], step()).catch(throwInTheMiddle);
        },
        () => api.remove(['auth', number], step()),
        () => api.remove(['aor', number], step()),
        ...(calls ? [() => calls.remove(number, step)] : []),
      ]);
      await kernel.pause('mid-call');
    },
    get: (number, context) => get(number, context),
    async list(context, known = []) {
      const step = pageDeadlines(context);
      const listed = (await endpoints(step())).map(({ number }) => number);
      const ofCalls = await calls?.list(step());
      // Asterisk's list stops at the first endpoint that it cannot read, so known numbers are read one by one.
      const numbers = [...new Set([...known, ...listed, ...(ofCalls?.numbers ?? [])])];
      const all: Held[] = [];
      for (let at = 0; at < numbers.length; at += LOOKS_AT_ONCE) {
        const page = step();
        const found = await Promise.all(
          numbers.slice(at, at + LOOKS_AT_ONCE).map((number) => get(number, page, ofCalls?.read)),
        );
        all.push(...found.filter((each) => each !== undefined));
      }
      return all;
    },
    health: (context) =>
      healthBy(async () => {
        const info = (await api.call('GET', '/asterisk/info?only=system,status', context)) as {
          system?: { version?: string };
        };
        const troubles = (await calls?.troubles(context)) ?? [];
        if (troubles.length > 0) throw new PbxError('refused', troubles.join('; '));
        return `Asterisk ${info?.system?.version ?? ''}`;
      }),
    shows: (extension) => ({ ...objects.shownOf(withLamp(extension), naming), ...calls?.shows(extension) }),
    ...(ami
      ? { arrangements: asteriskArrangements(api, ami, space), forwards: asteriskForwards(api, ami, space) }
      : {}),
    ...(ami ? { phoneCalls: asteriskPhoneCalls(api, suffix), keepEmergency: emergencyKeeper(ami, space.code) } : {}),
    // Its owner may change the PIN at the telephone.
    ...(calls ? { unseen: ['voicemail_vmpwd'] } : {}),
    async lacks(extension, before, context) {
      await calls?.ensureCarried(extension, before, context);
      const { transport } = extension;
      if (typeof transport !== 'string' || ['', before['transport']].includes(transport)) return undefined;
      return (await api.hasTransport(transport, context)) ? undefined : 'transport';
    },
    async registered(numbers, context) {
      const there = new Set(
        (await endpoints(context)).flatMap(({ number, state }) => (state === 'online' ? [number] : [])),
      );
      return numbers.filter((number) => there.has(number));
    },
  };
}

const pinOf = ({ pin }: HeldCalls) => (pin === undefined ? {} : { pin });

const marked = (operation: string | undefined) => (operation === undefined ? {} : { operation });

/** Runs the steps one after the other. A failure from the second step on leaves the outcome unknown. */
async function inOrder(all: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const [index, run] of all.entries()) {
    await (index === 0 ? run() : run().catch(throwInTheMiddle));
  }
}

/**
 * Ring groups, numbers from outside and forwards of the simulated PBX: each kind is a list beside the extensions. And the
 * calls that a click begins there.
 */
import { NO_FORWARDS, type ForwardsData, type MadeKind } from '../../model/arrangements/arrangement';
import { settingsText } from '../../model/extensions/call-settings';
import type { HeldArrangement, PbxArrangements, PbxForwards } from './arrangements';
import { PbxError, PhoneAway, type CallContext, type PbxPhoneCalls } from '../pbx-instance/driver';

/** One call below the instance's address. A 404 is undefined. */
export type Ask = (method: string, path: string, context: CallContext, body?: object) => Promise<unknown>;

const FOLDERS = { 'ring-group': 'ring-groups', number: 'numbers' } as const;
const KINDS = Object.keys(FOLDERS) as MadeKind[];

const objectIn = (value: unknown): Record<string, unknown> => {
  const number = Number((value as { number?: unknown } | null | undefined)?.number);
  if (!Number.isSafeInteger(number)) throw new PbxError('cut', 'The PBX sent something without a number');
  return { ...(value as object), number };
};

function listIn(value: unknown): Record<string, unknown>[] {
  if (!Array.isArray(value)) throw new PbxError('cut', 'The PBX sent no list');
  return value.map(objectIn);
}

function heldOf(kind: MadeKind, value: unknown): HeldArrangement {
  const { number, operation, ...data } = objectIn(value);
  return {
    kind,
    number: number as number,
    content: settingsText(data),
    ...(typeof operation === 'string' ? { operation } : {}),
  };
}

export const simulatedArrangements = (ask: Ask): PbxArrangements => ({
  contentOf: ({ data }) => settingsText({ ...data }),
  async put({ kind, number, data, operation }, context) {
    await ask('PUT', `/${FOLDERS[kind]}/${number}`, context, { number, ...data, operation });
  },
  async remove(kind, number, context) {
    await ask('DELETE', `/${FOLDERS[kind]}/${number}`, context);
  },
  async get(kind, number, context) {
    const found = await ask('GET', `/${FOLDERS[kind]}/${number}`, context);
    return found === undefined ? undefined : heldOf(kind, found);
  },
  async list(context) {
    const lists = await Promise.all(
      KINDS.map(async (kind) =>
        listIn(await ask('GET', `/${FOLDERS[kind]}`, context)).map((each) => heldOf(kind, each)),
      ),
    );
    return lists.flat();
  },
});

/** Its 409 says that the telephone is away. */
export const simulatedPhoneCalls = (ask: Ask): PbxPhoneCalls => ({
  async begin({ from, to }, context) {
    try {
      await ask('PUT', `/calls/${context.key}`, context, { from, to });
    } catch (error) {
      if (error instanceof PbxError && error.message.startsWith('The PBX answered 409')) throw new PhoneAway(from);
      throw error;
    }
  },
  isThere: async (id, context) => (await ask('GET', `/calls/${id}`, context)) !== undefined,
  async end(id, context) {
    await ask('DELETE', `/calls/${id}`, context);
  },
});

const forwardsIn = (held: Record<string, unknown>): ForwardsData => ({
  ...NO_FORWARDS,
  ...Object.fromEntries(Object.entries(held).filter(([name]) => name in NO_FORWARDS)),
});

export const simulatedForwards = (ask: Ask): PbxForwards => ({
  async get(number, context) {
    const found = await ask('GET', `/forwards/${number}`, context);
    return found === undefined ? NO_FORWARDS : forwardsIn(objectIn(found));
  },
  async set(number, forwards, context) {
    await ask('PUT', `/forwards/${number}`, context, { number, ...forwards });
  },
  async list(context) {
    const found = listIn(await ask('GET', '/forwards', context));
    return new Map(found.map((each) => [each['number'] as number, forwardsIn(each)]));
  },
});

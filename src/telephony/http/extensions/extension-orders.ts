/** Routes that change extensions. Each request is an order to a PBX; the client may choose not to wait for it. */
import type { Ordering } from '../../parts';
import { Fault } from '../../../kernel/fault';
import type { Incoming } from '../../../kernel/http/incoming';
import { Outgoing } from '../../../kernel/http/outgoing';
import { routesFor, type Route } from '../../../kernel/http/route';
import { addExtension, changeExtension, removeExtension } from '../../commands/extensions/order-extensions';
import { getOperation, type OrderOptions, type Placed } from '../../commands/extensions/place-order';
import type { Caller } from '../../model/contacts/contact';
import { extensionShape, type ExtensionBody } from '../../model/extensions/extension-draft';
import { mustConfirm } from '../../model/extensions/voicemail-loss';
import { extension, operation, operationAnswer } from '../../model/answers/extensions';
import {
  invalid,
  noExtension,
  noInstance,
  noOperation,
  notYours,
  numberTaken,
  unassignedIsOwners,
} from '../../model/faults';
import { pbxFailed } from '../refusals';

const { get, post, put, patch, del } = routesFor<Caller>();

const KEY = /^[\x21-\x7e]{1,255}$/;

export function orderOptionsOf(incoming: Incoming): OrderOptions {
  const idempotencyKey = incoming.header('idempotency-key');
  if (idempotencyKey !== '' && !KEY.test(idempotencyKey)) {
    throw new Fault('invalid', 'Idempotency-Key: must be 1 to 255 visible characters');
  }
  const { method, path, body, query } = incoming;
  // Confirmed, it is another order.
  const confirmed = query['discard_voicemail'] === undefined ? [] : [query['discard_voicemail']];
  return {
    idempotencyKey,
    fingerprint: JSON.stringify([method, path, body, ...confirmed]),
    isAsync: /(^|[,;\s])respond-async($|[,;\s])/i.test(incoming.header('prefer')),
  };
}

export function answerOf(placed: Placed): unknown {
  if ('value' in placed) return placed.value;
  const { accepted } = placed;
  const headers = { Location: `/operations/${String(accepted['id'])}`, 'Preference-Applied': 'respond-async' };
  return new Outgoing(accepted, { status: 202, headers });
}

const LIST = '/instances/:instance_uuid/bulks/extensions';
const ONE = `${LIST}/:extension_id` as const;

const changing = [noExtension(), noInstance(), notYours('extension'), unassignedIsOwners(), pbxFailed()];
const rewriting = [invalid('data.dtmfmode: must be one of "rfc4733", "auto"'), mustConfirm(['secret']), ...changing];

/** 200 if changed, 202 if only ordered. */
const CHANGED = { 200: extension, 202: operation };

type Params = ExtensionBody & { readonly instance_uuid: string };

export function extensionOrders(context: Ordering): Route<Caller>[] {
  const requestOf = ({ instance_uuid: uuid, ...body }: Params, incoming: Incoming) => ({
    uuid,
    body: body as ExtensionBody,
    options: orderOptionsOf(incoming),
  });
  return [
    post(LIST, {
      summary: 'Add an extension to the PBX and the database; 202 if the client prefers not to wait',
      answer: { 201: extension, 202: operation },
      refuses: [invalid('data.name: is required'), mustConfirm('half'), numberTaken(101), noInstance(), pbxFailed()],
      status: 201,
      waitsElsewhere: true,
      params: extensionShape,
      run: async ({ by, params, incoming }) => answerOf(await addExtension(context, by, requestOf(params, incoming))),
    }),
    ...(['replace', 'merge'] as const).map((mode) =>
      (mode === 'replace' ? put : patch)(ONE, {
        summary: mode === 'replace' ? 'Replace an extension' : 'Change the given fields of an extension',
        answer: CHANGED,
        refuses: rewriting,
        waitsElsewhere: true,
        params: extensionShape,
        run: async ({ by, params: { extension_id: id, ...params }, incoming }) =>
          answerOf(await changeExtension(context, by, { ...requestOf(params, incoming), id, mode })),
      }),
    ),
    del(ONE, {
      summary: 'Remove an extension from the PBX and the database',
      answer: CHANGED,
      refuses: changing,
      waitsElsewhere: true,
      run: async ({ by, params: { instance_uuid: uuid, extension_id: id }, incoming }) =>
        answerOf(await removeExtension(context, by, { uuid, id, options: orderOptionsOf(incoming) })),
    }),
    get('/operations/:operation_id', {
      summary: 'Get a PBX order and its result',
      answer: operationAnswer,
      refuses: [noOperation()],
      run: ({ kernel, by, params }) => getOperation(kernel, by, params.operation_id),
    }),
  ];
}

/** The simulated carrier: runs in process, accepts every text, and later reports it as delivered. */
import { z } from 'zod';
import type { Carrier, CarrierNews } from './carrier';
import { mediaOf, messageId, peek, readJson, timeOf } from './payload';
import { hmac, isLately, isSameOfItsLength } from '../../kernel/secrets/signatures';

const media = z.union([
  z.string().transform((url) => mediaOf(url)),
  z
    .object({ url: z.string(), content_type: z.string().nullish(), size: z.int().nonnegative().nullish() })
    .transform(({ url, content_type: type, size }) => mediaOf(url, type, size)),
]);

const inbound = z.object({
  type: z.literal('text').optional(),
  id: messageId,
  from: z.string(),
  to: z.string(),
  text: z.string().nullish(),
  media: z.array(media).max(50).nullish(),
  received_at: z.string().nullish(),
});

const receipt = z.object({
  type: z.literal('receipt'),
  id: messageId,
  message_id: messageId,
  status: z.enum(['sending', 'sent', 'delivered', 'failed']),
  error: z.object({ code: z.string(), detail: z.string() }).nullish(),
  at: z.string().nullish(),
});

const call = z.union([receipt, inbound]);
const named = z.object({ id: messageId });

export const simulated: Carrier = {
  defaultApiUrl: '',
  needs: ['secret'],
  isRepeatable: true,

  send(_account, { id }) {
    const carrierMessageId = `sim-${id}`;
    const receiptId = `sim-delivered-${id}`;
    const body = JSON.stringify({
      type: 'receipt',
      id: receiptId,
      message_id: carrierMessageId,
      status: 'delivered',
    });
    return Promise.resolve({ carrierMessageId, calls: [{ id: receiptId, body }] });
  },

  isGenuine({ credentials }, { header, body }, now) {
    const [, at = '', signature = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header('x-signature')) ?? [];
    const expected = hmac('sha256', credentials['secret'] ?? '', `${at}.${body}`, 'hex');
    return isSameOfItsLength(signature, expected) && isLately(at, now);
  },

  eventId: ({ body }) => peek(() => readJson(named, body).id),

  read({ body, at }): CarrierNews[] {
    const said = readJson(call, body);
    if (said.type === 'receipt') {
      const { message_id: carrierMessageId, status, error } = said;
      return [
        {
          kind: 'receipt',
          receipt: { carrierMessageId, status, error: error ?? undefined, at: timeOf(said.at, at) },
        },
      ];
    }
    const text = {
      carrierMessageId: said.id,
      from: said.from,
      to: said.to,
      text: said.text ?? '',
      media: (said.media ?? []).flat(),
      receivedAt: timeOf(said.received_at, at),
    };
    return [{ kind: 'text', text }];
  },
};

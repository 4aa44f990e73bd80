/** Telnyx API v2: JSON both ways; its calls are signed with Ed25519. */
import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';
import { isLately } from '../../kernel/secrets/signatures';
import type { SendOutcome } from '../model/texting/texting';
import type { Carrier, CarrierNews } from './carrier';
import { callApi } from './http-call';
import { code, mediaOf, messageId, peek, readJson, readShape, sendIdOf, timeOf } from './payload';

const error = z.object({ code, title: z.string().nullish(), detail: z.string().nullish() });

const payload = z.object({
  id: messageId,
  from: z.object({ phone_number: z.string() }),
  to: z.array(z.object({ phone_number: z.string(), status: z.string().nullish() })).min(1),
  text: z.string().nullish(),
  media: z
    .array(z.object({ url: z.string(), content_type: z.string().nullish(), size: z.number().nullish() }))
    .nullish(),
  parts: z.number().int().nullish(),
  tags: z.array(z.string()).nullish(),
  errors: z.array(error).nullish(),
  received_at: z.string().nullish(),
});

const event = z.object({
  data: z.object({ id: messageId, event_type: z.string(), occurred_at: z.string().nullish(), payload: z.unknown() }),
});

const answer = z.object({ data: z.object({ id: messageId, parts: z.number().int().nullish() }) });

type Payload = z.output<typeof payload>;

/** `delivery_unconfirmed`: it was sent, and no further receipt will come. */
const STATUSES: Readonly<Record<string, SendOutcome['status']>> = {
  queued: 'sending',
  sending: 'sending',
  sent: 'sent',
  delivery_unconfirmed: 'sent',
  delivered: 'delivered',
  sending_failed: 'failed',
  delivery_failed: 'failed',
  expired: 'failed',
};

const wordsOf = (said: z.output<typeof error>) => ({ code: said.code, text: said.detail || said.title || said.code });
const refusal = z.object({ errors: z.array(error).min(1) }).transform(({ errors }) => wordsOf(errors[0]!));

export const telnyx: Carrier = {
  defaultApiUrl: 'https://api.telnyx.com',
  needs: ['api_key', 'public_key'],
  isRepeatable: false,

  async send({ apiUrl, credentials }, text, deadlineMs) {
    const profile = credentials['messaging_profile_id'];
    const body = {
      from: text.from,
      to: text.to,
      text: text.text,
      ...(text.mediaUrls.length > 0 ? { media_urls: text.mediaUrls } : {}),
      ...(profile ? { messaging_profile_id: profile } : {}),
      webhook_url: text.webhookUrl,
      // Returned in every receipt.
      tags: [text.id],
    };
    const headers = { Authorization: `Bearer ${credentials['api_key']}`, 'Content-Type': 'application/json' };
    const call = { url: `${apiUrl}/v2/messages`, headers, body: JSON.stringify(body), deadlineMs };
    const { data: taken } = await callApi(call, { answer, refusal });
    return { carrierMessageId: taken.id, segments: taken.parts ?? undefined };
  },

  isGenuine({ credentials }, { header, body }, now) {
    const at = header('telnyx-timestamp');
    const signature = header('telnyx-signature-ed25519');
    return isLately(at, now) && isSignedWithEd25519(credentials['public_key'] ?? '', signature, `${at}|${body}`);
  },

  eventId: ({ body }) => peek(() => readJson(event, body).data.id),

  read({ body, at }): CarrierNews[] {
    const { data } = readJson(event, body);
    const happened = timeOf(data.occurred_at, at);
    if (data.event_type === 'message.received') return [textOf(readShape(payload, data.payload), happened)];
    if (data.event_type !== 'message.sent' && data.event_type !== 'message.finalized') return [];
    return receiptOf(readShape(payload, data.payload), happened);
  },
};

function textOf(said: Payload, happened: Date): CarrierNews {
  return {
    kind: 'text',
    text: {
      carrierMessageId: said.id,
      from: said.from.phone_number,
      to: said.to[0]!.phone_number,
      text: said.text ?? '',
      media: (said.media ?? []).flatMap(({ url, content_type: type, size }) => mediaOf(url, type, size)),
      receivedAt: timeOf(said.received_at, happened),
    },
  };
}

function receiptOf(said: Payload, at: Date): CarrierNews[] {
  const status = STATUSES[said.to[0]!.status ?? ''];
  if (status === undefined) return [];
  const [first] = said.errors ?? [];
  const words = first && wordsOf(first);
  const sendId = said.tags?.map(sendIdOf).find((id) => id !== undefined);
  const receipt = {
    carrierMessageId: said.id,
    status,
    segments: said.parts ?? undefined,
    error: status === 'failed' ? { code: words?.code ?? said.to[0]!.status!, detail: words?.text ?? '' } : undefined,
    at,
  };
  return [{ kind: 'receipt', receipt, sendId }];
}

/** The DER prefix that makes a bare Ed25519 key an SPKI key. */
const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Key and signature are base64. */
export function isSignedWithEd25519(publicKey: string, signature: string, text: string): boolean {
  try {
    const der = Buffer.concat([ED25519_PREFIX, Buffer.from(publicKey, 'base64')]);
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
  } catch {
    // The key or signature has the wrong length.
    return false;
  }
}

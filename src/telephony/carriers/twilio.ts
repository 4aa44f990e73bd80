/** Twilio: forms both ways; its calls are signed with HMAC-SHA1 over the public URL and the sorted fields. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { SendOutcome } from '../model/texting/texting';
import type { Carrier, CarrierCall, CarrierNews } from './carrier';
import { callApi } from './http-call';
import { code, mediaOf, messageId, peek, readShape, sendIdOf } from './payload';
import { hmac, isSame } from '../../kernel/secrets/signatures';

const MAX_MEDIA = 10;

const fields = z.object({
  MessageSid: messageId,
  MessageStatus: z.string().optional(),
  SmsStatus: z.string().optional(),
  From: z.string().optional(),
  To: z.string().optional(),
  Body: z.string().optional(),
  NumMedia: z.coerce.number().int().min(0).optional(),
  NumSegments: z.coerce.number().int().optional(),
  ErrorCode: z.string().optional(),
  ErrorMessage: z.string().optional(),
});

const inbound = fields.required({ From: true, To: true });
const answer = z.object({ sid: messageId, num_segments: z.coerce.number().int().nullish() });
const refusal = z.object({ code, message: z.string() }).transform((said) => ({ code: said.code, text: said.message }));

const STATUSES: Readonly<Record<string, SendOutcome['status']>> = {
  accepted: 'sending',
  scheduled: 'sending',
  queued: 'sending',
  sending: 'sending',
  sent: 'sent',
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
  canceled: 'failed',
};

const formOf = (body: string): Record<string, string> => Object.fromEntries(new URLSearchParams(body));
const statusOf = (said: z.output<typeof fields>): string => said.MessageStatus ?? said.SmsStatus ?? 'received';

/** A parameter of the receipt URL that carries our own id, because Twilio's API has no field for it. */
const SEND = 'send';

export const twilio: Carrier = {
  defaultApiUrl: 'https://api.twilio.com',
  needs: ['account_sid', 'auth_token'],
  isRepeatable: false,

  async send({ apiUrl, credentials }, text, deadlineMs) {
    const { account_sid: sid = '', auth_token: token = '' } = credentials;
    const form = new URLSearchParams({ To: text.to, From: text.from });
    if (text.text !== '') form.set('Body', text.text);
    for (const url of text.mediaUrls) form.append('MediaUrl', url);
    form.set('StatusCallback', `${text.webhookUrl}?${SEND}=${text.id}`);
    const url = `${apiUrl}/2010-04-01/Accounts/${encodeURIComponent(sid)}/Messages.json`;
    const headers = {
      Authorization: `Basic ${Buffer.from(`${sid}:${token}`).toString('base64')}`,
      'Content-Type': 'application/x-www-form-urlencoded',
    };
    const taken = await callApi({ url, headers, body: form.toString(), deadlineMs }, { answer, refusal });
    // Zero means that Twilio has not chosen a sender yet and cannot count segments.
    return { carrierMessageId: taken.sid, segments: taken.num_segments || undefined };
  },

  isGenuine({ credentials }, call) {
    const expected = signatureOf(credentials['auth_token'] ?? '', call);
    return expected !== undefined && isSame(call.header('x-twilio-signature'), expected);
  },

  eventId: ({ body }) =>
    peek(() => {
      const said = readShape(fields, formOf(body));
      return `${said.MessageSid}:${statusOf(said)}`;
    }),

  read({ url, body, at }): CarrierNews[] {
    const form = formOf(body);
    const said = readShape(fields, form);
    const word = statusOf(said);
    if (word === 'received' || word === 'receiving') return [textOf(form, at)];
    const status = STATUSES[word];
    if (status === undefined) return [];
    const receipt = {
      carrierMessageId: said.MessageSid,
      status,
      segments: said.NumSegments || undefined,
      error: status === 'failed' ? { code: said.ErrorCode ?? word, detail: said.ErrorMessage ?? '' } : undefined,
      at,
    };
    return [{ kind: 'receipt', receipt, sendId: sendIdOf(new URL(url).searchParams.get(SEND)) }];
  },
};

function textOf(form: Readonly<Record<string, string>>, receivedAt: Date): CarrierNews {
  const said = readShape(inbound, form);
  const places = Array.from({ length: Math.min(said.NumMedia ?? 0, MAX_MEDIA) }, (_, place) => place);
  return {
    kind: 'text',
    text: {
      carrierMessageId: said.MessageSid,
      from: said.From,
      to: said.To,
      text: said.Body ?? '',
      media: places.flatMap((place) => mediaOf(form[`MediaUrl${place}`] ?? '', form[`MediaContentType${place}`])),
      receivedAt,
    },
  };
}

/**
 * Signs the URL, then each field's name and value in the order of the names. A JSON body is covered by its hash in the
 * URL. Twilio drops repeated pairs before it signs, so a pair counts once.
 */
export function signatureOf(token: string, call: CarrierCall): string | undefined {
  let signed = call.url;
  if (/^application\/json\b/i.test(call.header('content-type'))) {
    const hash = new URL(call.url).searchParams.get('bodySHA256') ?? '';
    if (!isSame(hash, createHash('sha256').update(call.body).digest('hex'))) return undefined;
  } else {
    const pairs = [...new URLSearchParams(call.body)].sort(([a, x], [b, y]) => compare(a, b) || compare(x, y));
    for (const [index, [name, value]] of pairs.entries()) {
      const [nameBefore, valueBefore] = pairs[index - 1] ?? [];
      if (name !== nameBefore || value !== valueBefore) signed += name + value;
    }
  }
  return hmac('sha1', token, signed, 'base64');
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

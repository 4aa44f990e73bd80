/** Bandwidth messaging v2: JSON both ways. Its calls are lists of events, authenticated by name and password. */
import { z } from 'zod';
import type { SendOutcome } from '../model/texting/texting';
import type { Carrier, CarrierNews } from './carrier';
import { callApi } from './http-call';
import { code, mediaOf, messageId, peek, readJson, sendIdOf, timeOf } from './payload';
import { isSame } from '../../kernel/secrets/signatures';

const event = z.object({
  type: z.string(),
  time: z.string().nullish(),
  description: z.string().nullish(),
  to: z.string().nullish(),
  errorCode: code.nullish(),
  message: z.object({
    id: messageId,
    owner: z.string().nullish(),
    time: z.string().nullish(),
    segmentCount: z.number().int().nullish(),
    to: z.array(z.string()).min(1),
    from: z.string(),
    text: z.string().nullish(),
    media: z.array(z.string()).nullish(),
    tag: z.string().nullish(),
  }),
});

const events = z.array(event).min(1).max(100);
const answer = z.object({ id: messageId, segmentCount: z.number().int().nullish() });
const fieldError = z.object({ fieldName: z.string(), description: z.string() });
const refusal = z
  .object({ type: z.string(), description: z.string(), fieldErrors: z.array(fieldError).nullish().catch(null) })
  .transform(({ type, description, fieldErrors }) => {
    // The description only says that something is wrong; the field errors say what.
    const fields = (fieldErrors ?? []).map((field) => `${field.fieldName}: ${field.description}`);
    return { code: type, text: fields.length === 0 ? description : `${description} (${fields.join('; ')})` };
  });

type Event = z.output<typeof event>;

const STATUSES: Readonly<Record<string, SendOutcome['status']>> = {
  'message-sending': 'sending',
  'message-sent': 'sent',
  'message-delivered': 'delivered',
  'message-failed': 'failed',
};

const basic = (name = '', password = ''): string => `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

export const bandwidth: Carrier = {
  defaultApiUrl: 'https://messaging.bandwidth.com',
  needs: ['account_id', 'application_id', 'username', 'password', 'callback_username', 'callback_password'],
  isRepeatable: false,

  async send({ apiUrl, credentials }, text, deadlineMs) {
    const body = {
      applicationId: credentials['application_id'],
      to: [text.to],
      from: text.from,
      text: text.text,
      ...(text.mediaUrls.length > 0 ? { media: text.mediaUrls } : {}),
      // Returned in every receipt.
      tag: text.id,
    };
    const url = `${apiUrl}/api/v2/users/${encodeURIComponent(credentials['account_id'] ?? '')}/messages`;
    const headers = {
      Authorization: basic(credentials['username'], credentials['password']),
      'Content-Type': 'application/json; charset=utf-8',
    };
    const taken = await callApi({ url, headers, body: JSON.stringify(body), deadlineMs }, { answer, refusal });
    return { carrierMessageId: taken.id, segments: taken.segmentCount ?? undefined };
  },

  isGenuine: ({ credentials }, { header }) =>
    isSame(header('authorization'), basic(credentials['callback_username'], credentials['callback_password'])),

  eventId: ({ body }) =>
    peek(() =>
      readJson(events, body)
        .map(({ type, message, to }) => `${type}:${message.id}:${to ?? ''}`)
        .join(),
    ),

  read: ({ body, at }) => readJson(events, body).flatMap((each) => newsOf(each, timeOf(each.time, at))),
};

function newsOf(said: Event, at: Date): CarrierNews[] {
  const { message } = said;
  const carrierMessageId = message.id;
  if (said.type === 'message-received') {
    const media = (message.media ?? []).flatMap((url) => mediaOf(url));
    const to = said.to ?? message.owner ?? message.to[0]!;
    const text = { carrierMessageId, from: message.from, to, text: message.text ?? '', media };
    return [{ kind: 'text', text: { ...text, receivedAt: timeOf(message.time, at) } }];
  }
  const status = STATUSES[said.type];
  if (status === undefined) return [];
  const error = { code: said.errorCode ?? said.type, detail: said.description ?? '' };
  const segments = message.segmentCount ?? undefined;
  const receipt = { carrierMessageId, status, segments, error: status === 'failed' ? error : undefined, at };
  return [{ kind: 'receipt', receipt, sendId: sendIdOf(message.tag) }];
}

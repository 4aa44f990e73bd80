/**
 * The endpoint for deliveries from external services, and how deliveries to a bot must be signed. The secret can be
 * written but never read back.
 */
import { integer, text } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import { receiveDelivery } from '../../commands/bots/receive-delivery';
import { changeBotSignature } from '../../commands/bots/update-bot';
import { botSignatureAnswer } from '../../model/answers/bots';
import { DONE } from '../../model/answers/envelope';
import { isSignatureScheme, SIGNATURE_SCHEMES } from '../../model/bots/signature-schemes';
import type { User } from '../../model/users/user';
import { insufficientPermission, noSuchBot, onlyWebhookBots } from '../../model/users/user-faults';
import type { Sending, Receiving } from '../../parts';
import { getBotSignature } from '../../queries/bots/bots';
import type { ChatSettings } from '../../settings';
import { WEBHOOK_KEYS } from '../wire-format';
import { deliveryAnswer } from '../../model/answers/messages';
import {
  invalidSignature,
  invalidWebhookKey,
  malformedJson,
  noSuchIntegration,
  tooMuchWaiting,
} from '../../model/faults';

const { get, post, put, del } = routesFor<User>();

export const webhookRoutes = (chat: Sending & Receiving, { webhookBacklog }: ChatSettings) => [
  post('/external/:integration', {
    summary: 'Deliver a payload to an integration, with the API key of an incoming-webhook bot',
    answer: deliveryAnswer,
    refuses: [
      invalidWebhookKey(),
      invalidSignature(),
      malformedJson(),
      noSuchIntegration('nothing'),
      tooMuchWaiting(50_000),
    ],
    admits: [WEBHOOK_KEYS],
    // Bursts are normal here. The backlog is capped instead.
    limited: false,
    rawBody: true,
    params: { stream: text.optional(), topic: text.optional(), branches: text.optional() },
    run: async ({ by, params, incoming }) => {
      const whose = await receiveDelivery(chat, by, {
        ...params,
        body: String(incoming.body),
        bytes: incoming.bytes,
        query: incoming.query,
        header: (name) => incoming.header(name),
        maxWaiting: webhookBacklog,
      });
      return whose && { full_name: whose.fullName, email: whose.email, id: whose.id };
    },
  }),
];

const SIGNATURE_PATH = '/bots/:bot_id/signature';

const scheme = text
  .refine(isSignatureScheme, `must be one of ${SIGNATURE_SCHEMES.join(', ')}`)
  .meta({ type: 'string', enum: [...SIGNATURE_SCHEMES] });

/** No service uses a longer secret. */
const MAX_SECRET = 1000;
const secret = text
  .refine((written) => written.trim() !== '', 'must not be empty')
  .refine((written) => written.length <= MAX_SECRET, `is too long (limit: ${MAX_SECRET} characters)`)
  .meta({ type: 'string', writeOnly: true });

export const botSignatureRoutes = [
  get(SIGNATURE_PATH, {
    summary: 'Get the signature scheme that deliveries to an incoming-webhook bot must use; null if none',
    answer: botSignatureAnswer,
    refuses: [noSuchBot(), insufficientPermission()],
    params: { bot_id: integer },
    run: ({ kernel, by, params }) => getBotSignature(kernel.mysql, by, params.bot_id),
  }),
  put(SIGNATURE_PATH, {
    summary: 'Accept only signed deliveries to an incoming-webhook bot',
    answer: DONE,
    refuses: [noSuchBot(), insufficientPermission(), onlyWebhookBots()],
    params: { bot_id: integer, scheme, secret },
    run: ({ kernel, by, params }) =>
      changeBotSignature(kernel, by, params.bot_id, { scheme: params.scheme, secret: params.secret }),
  }),
  del(SIGNATURE_PATH, {
    summary: 'Accept unsigned deliveries to an incoming-webhook bot again',
    answer: DONE,
    refuses: [noSuchBot(), insufficientPermission(), onlyWebhookBots()],
    params: { bot_id: integer },
    run: ({ kernel, by, params }) => changeBotSignature(kernel, by, params.bot_id, null),
  }),
];

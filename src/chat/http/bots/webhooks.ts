/** The endpoint for deliveries from external services. */
import { text } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import { receiveDelivery } from '../../commands/bots/receive-delivery';
import type { User } from '../../model/users/user';
import type { Sending, Receiving } from '../../parts';
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

const { post } = routesFor<User>();

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

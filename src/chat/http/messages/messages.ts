/** The route that sends messages. */
import type { Incoming } from '../../../kernel/http/incoming';
import { flag, text } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import type { Keyspace } from '../../../kernel/redis/connections';
import { postMessage } from '../../commands/messages/post-message';
import { clientOf } from '../../model/client';
import type { User } from '../../model/users/user';
import { NO_TOPIC } from '../../model/messages/message';
import { readWidget } from '../../model/messages/widget';
import type { Sending } from '../../parts';
import { CACHED_CALLERS, WEBHOOK_BOTS } from '../wire-format';
import { shortText, topicOf } from '../wire-params';
import { sentAnswer } from '../../model/answers/messages';
import { badRequest, noSuchStream, noSuchStreamId, notAuthorizedToSend } from '../../model/faults';

const { post } = routesFor<User>();

/** The client's own name, or the one in its User-Agent. */
export function clientName(incoming: Incoming, given: string | undefined): string {
  return given ?? clientOf(incoming.header('user-agent')).name;
}

const MAX_ECHO_LENGTH = 100;

/** Today's words for both kinds. They also mean that a number is an id, and that no topic is one. */
function addressOf(type: string, to: string | undefined, topic: string | undefined) {
  if (type === 'direct') return { type: 'private', to, topic: undefined };
  if (type !== 'channel') return { type, to, topic };
  const isId = to !== undefined && /^\d{1,15}$/.test(to);
  return { type: 'stream', to: isId ? `[${to}]` : to, topic: topic?.trim() === '' ? NO_TOPIC : topic };
}

export const messageRoutes = (chat: Sending & Keyspace) => [
  post('/messages', {
    summary: 'Send a message; `channel` and `direct`, the words of today for both types, are understood too',
    answer: sentAnswer,
    refuses: [
      noSuchStream('nowhere'),
      noSuchStreamId(99),
      badRequest("Invalid email 'nobody@example.com'"),
      badRequest('Invalid message type'),
      badRequest('Message must not be empty'),
      badRequest("Topic can't be empty"),
      badRequest('Cannot send to multiple streams'),
      badRequest('Message must have recipients'),
      notAuthorizedToSend('leadership'),
      badRequest('Only organization administrators can send to this stream.'),
      badRequest('Unable to render message'),
    ],
    admits: [WEBHOOK_BOTS, CACHED_CALLERS],
    waitsElsewhere: true,
    params: {
      type: text.meta({ type: 'string', enum: ['stream', 'private'] }),
      to: text.optional(),
      topic: text.optional(),
      subject: text.optional(),
      content: text,
      client: text.optional(),
      // Echoed back with the message, which goes to every node.
      queue_id: shortText(MAX_ECHO_LENGTH).optional(),
      local_id: shortText(MAX_ECHO_LENGTH).optional(),
      widget_content: text.optional(),
      read_by_sender: flag.optional(),
    },
    run: ({ by, params, incoming }) => {
      const { type, to, topic } = addressOf(params.type, params.to, topicOf(params));
      return postMessage(chat, by, {
        type,
        to,
        topic,
        isReadBySender: params.read_by_sender,
        content: params.content,
        client: clientName(incoming, params.client),
        queueId: params.queue_id,
        localId: params.local_id,
        widget: params.widget_content === undefined ? undefined : readWidget(params.widget_content),
        idempotencyKey: incoming.header('idempotency-key') || undefined,
      });
    },
  }),
];

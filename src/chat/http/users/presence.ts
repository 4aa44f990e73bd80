/** Presence and typing notifications. */
import { flag, jsonInteger, text } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import { notifyStreamTyping } from '../../commands/messages/notify-stream-typing';
import { notifyTyping } from '../../commands/messages/notify-typing';
import { setPresence } from '../../commands/users/set-presence';
import { readAddressees } from '../../model/messages/addressees';
import { clientOf } from '../../model/client';
import type { User } from '../../model/users/user';
import { getPresence, presenceAnswer } from '../../queries/users/list-presences';
import type { Chat } from '../../parts';
import type { Keyspace } from '../../../kernel/redis/connections';
import { CACHED_CALLERS, forPeople } from '../wire-format';
import { shortText } from '../wire-params';
import { DONE } from '../../model/answers/envelope';
import {
  presenceAnswer as userPresenceAnswer,
  presencePingAnswer,
  presencesAnswer,
} from '../../model/answers/presence';
import {
  invalidStatus,
  invalidTypingOp,
  missingTypingRecipient,
  noPresence,
  noPresenceOfBots,
  TYPING_DISABLED,
} from '../../model/users/user-faults';
import { missingArgument, noSuchUser } from '../../model/faults';
import { MAX_TOPIC_CHARACTERS } from '../../model/messages/message';
import { invalidStreamId } from '../../model/streams/stream-faults';

const { get, post } = routesFor<User>();

const SINCE =
  'Only people who were there since the `presence_last_update_id` of an earlier answer; -1 for all. Means `slim_presence`.';

type Parts = Keyspace & Pick<Chat, 'callers' | 'clock' | 'ephemera' | 'mysql' | 'presencePeople'>;

export const presenceRoutes = (chat: Parts) => [
  post('/users/me/presence', {
    summary: 'Report your presence, and get the presence of all users',
    answer: presencePingAnswer,
    refuses: [invalidStatus('away')],
    admits: [CACHED_CALLERS],
    params: {
      status: text,
      ping_only: flag.default(false),
      new_user_input: flag.default(false),
      client: text.optional(),
      slim_presence: flag.default(false),
      last_update_id: jsonInteger.optional().meta({ description: SINCE }),
    },
    async run({ by, params, incoming }) {
      const client = params.client ?? clientOf(incoming.header('user-agent')).name;
      await setPresence(chat, by, { status: params.status, client });
      if (params.ping_only) return {};
      const since = params.last_update_id;
      return presenceAnswer(chat, by.realmId, { isSlim: params.slim_presence || since !== undefined, since });
    },
  }),
  get('/users/:email/presence', {
    summary: "Get one user's presence",
    answer: userPresenceAnswer,
    refuses: [noSuchUser(), noPresenceOfBots(), noPresence('ada@example.com')],
    run: ({ kernel, by, params }) => getPresence(kernel, by, params.email),
  }),
  get('/realm/presence', {
    summary: 'Get the presence of all users',
    answer: presencesAnswer,
    isExpensive: true,
    run: forPeople(({ by }) => presenceAnswer(chat, by.realmId)),
  }),
  post('/typing', {
    summary: 'Report that you are typing a message to people, or to a stream (`type` is `stream` or `channel`)',
    answer: DONE,
    refuses: [missingTypingRecipient(), invalidTypingOp(), invalidStreamId(), ...TYPING_DISABLED],
    admits: [CACHED_CALLERS],
    params: {
      op: text.default(''),
      to: text.default(''),
      type: text.meta({ type: 'string', enum: ['direct', 'private', 'stream', 'channel'] }).optional(),
      stream_id: jsonInteger.optional(),
      topic: shortText(MAX_TOPIC_CHARACTERS).optional(),
    },
    run: ({ by, params }) => {
      if (params.type !== 'stream' && params.type !== 'channel')
        return notifyTyping(chat, by, params.op, readAddressees(params.to));
      const { stream_id: streamId, topic } = params;
      if (streamId === undefined) throw missingArgument('stream_id');
      return notifyStreamTyping(chat, by, params.op, { streamId, topic: topic ?? '' });
    },
  }),
];

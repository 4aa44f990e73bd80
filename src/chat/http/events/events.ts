/** Event queues: register, poll, delete. */
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { headerOf, type Incoming } from '../../../kernel/http/incoming';
import { flag, integer, jsonField, jsonText, text } from '../../../kernel/http/params';
import { Download } from '../../../kernel/http/outgoing';
import { routesFor, type Call } from '../../../kernel/http/route';
import type { LocalRateLimit } from '../../../kernel/admission/rate-limit';
import type { Storage } from '../../../kernel/kernel';
import type { Keyspace } from '../../../kernel/redis/connections';
import type { PollTimes } from '../../commands/events/client-poll';
import { pollQueue, prepareStream } from '../../commands/events/poll-queue';
import { dropQueue, registerQueue } from '../../commands/events/event-queues';
import { badQueue, badRequest, notYourQueue } from '../../model/faults';
import { checkNarrow } from '../../model/events/queue';
import { realmTenant } from '../../model/organisation/realm';
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import { findRegisterDefaults } from '../../queries/events/find-register-defaults';
import type { ChatSettings } from '../../settings';
import { CACHED_CALLERS } from '../wire-format';
import { checked, isBoolean, isDict } from '../json-checks';
import { DONE } from '../../model/answers/envelope';
import { eventsAnswer } from '../../model/answers/events';
import { registerAnswer } from '../../model/answers/register';
import { media } from '../../../kernel/http/answers';

type Parts = Storage &
  Keyspace &
  Pick<Chat, 'changedUsers' | 'polls' | 'queues' | 'realms' | 'registrations' | 'settings' | 'systemBots' | 'touches'>;

const { get, post, del } = routesFor<User>();

/** Accepts a single pair, as in the specification; a list of pairs, as in Zulip; or a list of terms, as for reading. */
function asPairs(narrow: unknown): unknown {
  if (!Array.isArray(narrow)) return narrow;
  const isOnePair = narrow.length === 2 && narrow.every((each) => typeof each === 'string');
  return isOnePair ? [narrow] : narrow.map((each: unknown) => termSchema.safeParse(each).data ?? each);
}
const termSchema = z
  .strictObject({ operator: z.string(), operand: z.string(), negated: z.literal(false).optional() })
  .transform(({ operator, operand }) => [operator, operand]);

/** More than there are event types, and longer than any stream or user name. */
const MAX_TYPES = 100;
const MAX_TYPE_LENGTH = 60;
const MAX_TERMS = 20;
const MAX_OPERAND_LENGTH = 500;
const eventTypes = jsonField(
  z
    .array(z.string().max(MAX_TYPE_LENGTH, `is longer than ${MAX_TYPE_LENGTH} characters`))
    .max(MAX_TYPES, `has more than ${MAX_TYPES} entries`),
);
const pair = z.tuple([
  z.string(),
  z.string().max(MAX_OPERAND_LENGTH, `is longer than ${MAX_OPERAND_LENGTH} characters`),
]);

const COMPARABLE_IDS =
  'Counts the ids of events for all queues of the organisation alike, so that the ids of two queues can be compared. ' +
  '`last_event_id` is then the last event that the initial state contains.';

const ARCHIVED_CHANNELS =
  'With `archived_channels`, the client gets archived streams too (`is_archived`), and `update` events about them.';

const registerParams = {
  apply_markdown: flag.optional(),
  client_avatar: flag.optional(),
  client_gravatar: flag.optional(),
  event_types: eventTypes.optional(),
  fetch_event_types: eventTypes.optional(),
  all_public_streams: flag.optional(),
  include_subscribers: flag.optional(),
  narrow: jsonField(z.preprocess(asPairs, z.array(pair).max(MAX_TERMS, `has more than ${MAX_TERMS} terms`))).optional(),
  // Notification settings are always booleans, which every client understands.
  client_capabilities: checked(
    'client_capabilities',
    isDict({ notification_settings_null: isBoolean }, { archived_channels: isBoolean }, false),
  )
    .transform(({ archived_channels: knowsArchive = false }) => ({ knowsArchive }))
    .meta({ ...jsonText({ type: 'object' }), description: ARCHIVED_CHANNELS })
    .optional(),
  queue_lifespan_secs: integer.optional(),
  comparable_ids: flag.optional().meta({ description: COMPARABLE_IDS }),
};
const LAST_EVENT_ID =
  'The last event that you have seen; -1 if none. A stream (`Accept: text/event-stream`) continues after the header ' +
  '`Last-Event-ID` if there is one, else after this event, else it begins at the first event that the queue holds.';

const pollParams = {
  ...registerParams,
  queue_id: text.optional(),
  last_event_id: integer.optional().meta({ description: LAST_EVENT_ID }),
  dont_block: flag.optional(),
};
const pollSchema = z.object(pollParams);

/** The queue to stream, and the last event that the client has seen. Undefined if the parameters are not valid. */
export function streamRequest(incoming: Incoming): { queueId: string; seenId: number | undefined } | undefined {
  const { queue_id: queueId, last_event_id: seenId } = pollSchema.safeParse(incoming.query).data ?? {};
  return queueId === undefined ? undefined : { queueId, seenId: lastSeen(incoming) ?? seenId };
}

type RegisterParams = { readonly [K in keyof typeof registerParams]: z.output<(typeof registerParams)[K]> };

/** The lifetime of queues and the heartbeat interval of polls. */
export const pollTimes = ({ queueExpiryMs: expiryMs, heartbeatMinMs, heartbeatMaxMs }: ChatSettings): PollTimes => ({
  expiryMs,
  heartbeatMinMs,
  heartbeatMaxMs,
});

export function eventRoutes(chat: Parts, settings: ChatSettings, limit: LocalRateLimit) {
  const times = pollTimes(settings);

  async function register(call: Call<User, RegisterParams>) {
    const { kernel, by, params } = call;
    const defaults = await findRegisterDefaults(kernel.mysql, by);
    // An empty narrow means none, as in Zulip.
    const narrow = params.narrow?.length ? params.narrow : defaults.narrow;
    checkNarrow(narrow);
    const eventTypes = params.event_types ?? null;
    return registerQueue(chat, by, {
      filters: {
        eventTypes,
        narrow,
        allPublicStreams: (params.all_public_streams ?? defaults.allPublicStreams) && by.role !== 'guest',
        wantsHtml: params.apply_markdown ?? false,
        computesAvatars: params.client_avatar ?? params.client_gravatar ?? false,
        includeSubscribers: params.include_subscribers ?? false,
        ...params.client_capabilities,
      },
      fetchTypes: params.fetch_event_types ?? eventTypes,
      hasComparableIds: params.comparable_ids,
      expiryMs: Math.max(settings.queueExpiryMs, (params.queue_lifespan_secs ?? 0) * 1000),
      settings,
      party: { caller: String(by.id), address: realmTenant(by.realmId), isGone: () => call.signal.aborted },
      publicUrl: await chat.realms.publicUrl(by.realmId),
    });
  }

  return [
    post('/register', {
      summary: 'Register an event queue',
      answer: registerAnswer,
      refuses: [badRequest('Operator near not supported.')],
      limited: false,
      // The state, including the caller's own row, is read in one snapshot.
      admits: [CACHED_CALLERS],
      params: registerParams,
      run: register,
    }),
    get('/events', {
      summary: 'Get events from an event queue',
      answer: [eventsAnswer, media('text/event-stream')],
      refuses: [
        badQueue('0:0'),
        badRequest('You are not authorized to get events from this queue'),
        badRequest("Missing 'last_event_id' argument"),
        badRequest('An event newer than 7 has already been pruned!'),
        badRequest('Event 9 was not in this queue'),
      ],
      isFrequent: true,
      // Limited per node, with cached callers: a poll must not need Redis or MySQL.
      limited: false,
      admits: [CACHED_CALLERS],
      params: pollParams,
      async run(call) {
        const { by, params } = call;
        await limit.count(String(by.id));
        const { queue_id: queueId, last_event_id: lastEventId } = params;
        if (queueId === undefined) return { events: [], ...(await register(call)) };
        if (wantsStream(call.incoming.request)) {
          // The stream could not begin (see event-stream.ts). If nothing is wrong any more, the client tries again.
          await prepareStream({ chat, by }, { queueId, seenId: lastSeen(call.incoming) ?? lastEventId });
          return new Download('retry: 1000\n\n', STREAM_TYPE);
        }
        if (lastEventId === undefined) throw badRequest("Missing 'last_event_id' argument");
        const poll = { queueId, lastEventId, dontBlock: params.dont_block ?? false };
        const events = await pollQueue({ chat, by, answerPath: call.answerPath }, poll, times, () => call.signal);
        return new Download(eventsBody(queueId, events), EVENTS_TYPE);
      },
    }),
    del('/events', {
      summary: 'Delete an event queue',
      answer: DONE,
      refuses: [badQueue('0:0'), notYourQueue()],
      params: { queue_id: text },
      run: ({ by, params }) => dropQueue(chat, by, params.queue_id),
    }),
  ];
}

export const STREAM_TYPE = 'text/event-stream; charset=utf-8';

export const wantsStream = (request: IncomingMessage): boolean =>
  headerOf(request, 'accept').includes('text/event-stream');

/** An EventSource reconnects to the address it began with, and sends the last id that it has seen in a header. */
function lastSeen(incoming: Incoming): number | undefined {
  const written = incoming.header('last-event-id');
  return /^-?\d{1,15}$/.test(written) ? Number(written) : undefined;
}

export const EVENTS_TYPE = 'application/json';

/**
 * Events are already JSON in ASCII, and the id of an existing queue needs no escaping. The parts are only added up:
 * joining them would make one more copy of the whole text, because it is copied again when it is written.
 */
export function eventsBody(queueId: string, events: readonly string[]): string {
  let body = `{"result":"success","msg":"","queue_id":"${queueId}","events":[`;
  for (let index = 0; index < events.length; index += 1) body += index === 0 ? events[index]! : `,${events[index]!}`;
  return `${body}]}\n`;
}

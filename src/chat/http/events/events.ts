/** Event queues: register, poll, delete. */
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { headerOf, type Incoming } from '../../../kernel/http/incoming';
import { flag, integer, text } from '../../../kernel/http/params';
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
import { clientFilters, lifespanOf, registerParams, type RegisterParams } from './register-params';
import { DONE } from '../../model/answers/envelope';
import { eventsAnswer } from '../../model/answers/events';
import { registerAnswer } from '../../model/answers/register';
import { media } from '../../../kernel/http/answers';

type Parts = Storage &
  Keyspace &
  Pick<Chat, 'changedUsers' | 'polls' | 'queues' | 'realms' | 'registrations' | 'settings' | 'systemBots' | 'touches'>;

const { get, post, del } = routesFor<User>();

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
        ...clientFilters(params),
      },
      fetchTypes: params.fetch_event_types ?? eventTypes,
      hasComparableIds: params.comparable_ids,
      hasSlimPresence: params.slim_presence,
      expiryMs: Math.max(settings.queueExpiryMs, lifespanOf(params) * 1000),
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

/** Subscriptions and their settings. */
import type { z } from 'zod';
import { flag, integer, text } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import { changeSubscriptions, unsubscribe, type Unsubscribed } from '../../commands/streams/unsubscribe';
import { muteTopic, unmuteTopic } from '../../commands/streams/set-topic-policy';
import { setSubscriptionProperties } from '../../commands/streams/set-subscription-properties';
import { subscribe, type Subscribed, type SubscribeRequest } from '../../commands/streams/subscribe';
import { badArgument, badRequest, noSuchStream } from '../../model/faults';
import * as faults from '../../model/streams/stream-faults';
import { noSuchFolder } from '../../model/streams/stream-folder';
import type { User } from '../../model/users/user';
import { notForGuests } from '../../model/users/user-faults';
import type { Sending } from '../../parts';
import { listSubscriptions } from '../../queries/streams/list-subscriptions';
import * as params from './stream-params';
import { DONE } from '../../model/answers/envelope';
import {
  changedSubscriptionsAnswer,
  propertiesAnswer,
  subscribedAnswer,
  subscriptionsAnswer,
  unsubscribedAnswer,
} from '../../model/answers/streams';

const { get, post, patch, del } = routesFor<User>();
const PATH = '/users/me/subscriptions';

const onBehalfOf = faults.notOnBehalfOf('nobody@example.com');
const joining = [
  faults.invalidStreamName(''),
  faults.streamNameTooLong(),
  faults.mayNotCreateStreams(),
  faults.mayNotCreateSuchStreams(),
  noSuchFolder(),
  faults.streamNotAccessible('leadership'),
  faults.onlyAdminsSubscribeOthers(),
  faults.tooNewToSubscribeOthers(),
  onBehalfOf,
  notForGuests(),
];
const leaving = [noSuchStream('nowhere'), faults.needsAdministrativeRights(), onBehalfOf];
const changing = [faults.unknownProperty('mood'), faults.notSubscribed(99)];

type Creation = z.output<z.ZodObject<typeof params.creation>>;

const requestOf = (streams: SubscribeRequest['streams'], given: Creation): SubscribeRequest => ({
  streams,
  principals: given.principals,
  isPrivate: given.invite_only,
  isAnnouncementOnly: given.is_announcement_only,
  postPolicy: given.stream_post_policy,
  isHistoryPublic: given.history_public_to_subscribers,
  folderId: given.folder_id ?? null,
  shouldAnnounce: given.announce,
  isFatal: given.authorization_errors_fatal,
});

function subscribedOnWire({ subscribed, already, unauthorized, users }: Subscribed, isFatal: boolean) {
  const listed = (pairs: Subscribed['subscribed']) => {
    const byEmail: Record<string, string[]> = {};
    for (const { userId, stream } of pairs) (byEmail[users.get(userId)!.email] ??= []).push(stream.name);
    return byEmail;
  };
  return {
    subscribed: listed(subscribed),
    already_subscribed: listed(already),
    ...(isFatal ? {} : { unauthorized: unauthorized.map(({ name }) => name) }),
  };
}

/** Each pair of stream and user costs a row, an event and perhaps a message. */
const MAX_PAIRS = 10_000;

function checkPairs(streams: readonly unknown[], principals: readonly unknown[]): void {
  if (streams.length * Math.max(1, principals.length) <= MAX_PAIRS) return;
  throw badRequest(`Too many subscriptions at once (limit: ${MAX_PAIRS} pairs of stream and user)`);
}

const unsubscribedOnWire = ({ removed, notRemoved }: Unsubscribed) => ({ removed, not_removed: notRemoved });

function streamRef({ stream, stream_id: id }: { stream?: string | undefined; stream_id?: number | undefined }) {
  if (stream !== undefined && id !== undefined) throw badRequest("Please choose one: 'stream' or 'stream_id'.");
  const ref = stream ?? id;
  if (ref === undefined) throw badRequest("Please supply 'stream'.");
  return ref;
}

export const subscriptionRoutes = (chat: Sending) => [
  get(PATH, {
    summary: 'Get the streams you are subscribed to',
    answer: subscriptionsAnswer,
    isExpensive: true,
    params: { include_subscribers: flag.default(false) },
    run: async ({ kernel, by, params: { include_subscribers: withSubscribers } }) => ({
      subscriptions: await listSubscriptions(kernel, by, withSubscribers),
    }),
  }),
  post(PATH, {
    summary: 'Subscribe yourself or others to streams, creating those that do not exist',
    answer: subscribedAnswer,
    refuses: joining,
    params: { subscriptions: params.wantedStreams('subscriptions'), ...params.creation },
    run: async ({ by, params: given }) => {
      checkPairs(given.subscriptions, given.principals);
      const subscribed = await subscribe(chat, by, requestOf(given.subscriptions, given));
      return subscribedOnWire(subscribed, given.authorization_errors_fatal);
    },
  }),
  del(PATH, {
    summary: 'Unsubscribe yourself from streams, or others as an administrator',
    answer: unsubscribedAnswer,
    refuses: leaving,
    params: { subscriptions: params.names('subscriptions'), principals: params.principals },
    run: async ({ kernel, by, params: { subscriptions, principals } }) => {
      checkPairs(subscriptions, principals);
      return unsubscribedOnWire(await unsubscribe(kernel, by, { names: subscriptions, principals }));
    },
  }),
  patch(PATH, {
    summary: 'Subscribe to some streams and unsubscribe from others',
    answer: changedSubscriptionsAnswer,
    refuses: [faults.nothingToSubscribe(), ...joining, ...leaving],
    params: {
      add: params.namedStreams('add').default([]),
      delete: params.names('delete').default([]),
      ...params.creation,
    },
    run: async ({ by, params: given }) => {
      const { add, delete: names, principals } = given;
      if (add.length === 0 && names.length === 0) throw faults.nothingToSubscribe();
      checkPairs([...add, ...names], principals);
      const { joined, left } = await changeSubscriptions(chat, by, requestOf(add, given), { names, principals });
      return { ...subscribedOnWire(joined, given.authorization_errors_fatal), ...unsubscribedOnWire(left) };
    },
  }),
  post(`${PATH}/properties`, {
    summary: 'Change settings of your subscriptions',
    answer: propertiesAnswer,
    refuses: changing,
    params: { subscription_data: params.subscriptionData },
    run: async ({ kernel, by, params: { subscription_data: changes } }) => {
      await setSubscriptionProperties(kernel.transaction, by, changes);
      return { subscription_data: changes };
    },
  }),
  patch(`${PATH}/muted_topics`, {
    summary: 'Mute or unmute a topic',
    answer: DONE,
    refuses: [
      faults.topicAlreadyMuted(),
      faults.topicNotMuted(),
      badRequest("Please supply 'stream'."),
      badRequest("Please choose one: 'stream' or 'stream_id'."),
      faults.invalidStreamName('nowhere'),
      faults.invalidStreamId(),
    ],
    params: { stream: text.optional(), stream_id: params.id('stream_id').optional(), topic: text, op: text },
    run: async ({ kernel, by, params: { topic, op, ...given } }) => {
      const ref = streamRef(given);
      if (op !== 'add' && op !== 'remove') throw badArgument('op', op);
      await (op === 'add' ? muteTopic : unmuteTopic)(kernel, by, ref, topic);
    },
  }),
  patch(`${PATH}/:stream_id`, {
    summary: 'Change a setting of one of your subscriptions',
    answer: propertiesAnswer,
    refuses: changing,
    params: { stream_id: integer, property: text, value: params.looseValue },
    run: async ({ kernel, by, params: { stream_id: id, property, value } }) => {
      const changes = [{ stream_id: id, property, value }];
      await setSubscriptionProperties(kernel.transaction, by, changes);
      return { subscription_data: changes };
    },
  }),
];

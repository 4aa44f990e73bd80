'use strict';

/** Which tests poll /api/v1/events, and run once with the poll fast path and once without. test/poll-tests.test.ts checks it. */

const polledBothWays = [
  'test/api/chat/bot-owner-notices.test.ts',
  'test/api/chat/bots.test.ts',
  'test/api/chat/clients/habits.test.ts',
  'test/api/chat/clients/mobile.test.ts',
  'test/api/chat/delete.test.ts',
  'test/api/chat/event-abuse.test.ts',
  'test/api/chat/event-access.test.ts',
  'test/api/chat/events-ahead.test.ts',
  'test/api/chat/events.test.ts',
  'test/api/chat/foreign-events.test.ts',
  'test/api/chat/muting.test.ts',
  'test/api/chat/poll-connections.test.ts',
  'test/api/chat/poll-fast-path.test.ts',
  'test/api/chat/poll-limit.test.ts',
  'test/api/chat/realm.test.ts',
  'test/api/chat/register-bots.test.ts',
  'test/api/chat/register-races.test.ts',
  'test/api/chat/render.test.ts',
  'test/api/chat/stream-notices.test.ts',
  'test/api/chat/streams-changed.test.ts',
  'test/api/chat/streams.test.ts',
  'test/api/chat/subscription-events.test.ts',
  'test/api/chat/subscription-removal.test.ts',
  'test/api/chat/subscriptions.test.ts',
  'test/api/chat/topics.test.ts',
  'test/api/chat/touched-queues.test.ts',
  'test/cluster/chat-herd.test.ts',
  'test/cluster/chat-node-faults.test.ts',
  'test/cluster/chat-redis-faults.test.ts',
  'test/cluster/chat-rolling.test.ts',
  'test/security/broken-answers.test.ts',
  'test/security/event-rights.test.ts',
  'test/security/event-stream-rights.test.ts',
  'test/security/lost-polls.test.ts',
  'test/security/unread-answers.test.ts',
];

/** Tests that name the path and run once, each with the reason. */
const polledOnce = {
  'test/api/chat/outsider.test.ts': 'calls every route as an outsider',
  'test/api/cli/organization.test.ts': 'is about commands, and polls only to see what they change',
  'test/cluster/haproxy.test.ts': 'is about the balancer',
  'test/security/cache-keys.test.ts': 'fills caches by every way in; polls are one of many',
  'test/security/fair-calls.test.ts': 'is about calls that are expensive; polls are none of them',
  'test/security/upgrades.test.ts': 'is about connections that ask for another protocol',
  'test/store/chat-subscriptions.test.ts': 'is about rows',
  'test/api/chat/foreign-organisation.test.ts': 'calls every route with the identifiers of another organisation',
  'test/api/kernel/health.test.ts': 'reads the API document',
  'test/api/kernel/middlewares.test.ts': 'opens nodes of both kinds itself',
  'test/security/abuses.test.ts': 'attacks one node for long; polls are one attack of many',
  'test/security/columns-hold.test.ts': 'walks every route with values that are too large',
  'test/security/fuzz.test.ts': 'calls every route with random values',
  'test/security/hostile-texts.test.ts': 'walks every route with hostile texts',
  'test/security/impossible-ids.test.ts': 'walks every route with impossible identifiers',
  'test/security/who-may-chat.test.ts': 'calls every route as every kind of user, once',
  'test/start/damaged.test.ts': 'starts the whole stack, and polls only to see that it works',
};

module.exports = { polledBothWays, polledOnce };

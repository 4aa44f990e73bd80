'use strict';

/** Which test files take long: they run alone, and first. */

/** Seconds on two cores. A file that is missing here runs later than it might. */
const SLOW = {
  'test/actors/telephony-faults-vendors.test.ts': 120,
  'test/actors/telephony-faults.test.ts': 102,
  'test/security/abuses.test.ts': 100,
  'test/cluster/telephony-pbx.test.ts': 90,
  'test/security/who-may-chat.test.ts': 90,
  'test/browser/access.test.ts': 75,
  'test/browser/portal.test.ts': 75,
  'test/security/columns-hold.test.ts': 72,
  'test/security/rolling-orders.test.ts': 60,
  'test/security/cache-keys.test.ts': 58,
  'test/start/damaged.test.ts': 55,
  'test/security/durable-work.test.ts': 55,
  'test/cluster/upgrade.test.ts': 60,
  'test/cluster/telephony-crash.test.ts': 54,
  'test/start/ends.test.ts': 53,
  'test/security/refused-bodies.test.ts': 50,
  'test/cluster/webhooks-kills.test.ts': 50,
  'test/cluster/texting-carriers.test.ts': 49,
  'test/cluster/texting-nodes.test.ts': 45,
  'test/cluster/drain.test.ts': 43,
  'test/browser/console.test.ts': 45,
  'test/browser/conversation.test.ts': 43,
  'test/browser/organisation.test.ts': 43,
  'test/cluster/telephony-crash-vendors.test.ts': 43,
  'test/store/redis-tls-shared.test.ts': 40,
  'test/cluster/redis-cluster-workers.test.ts': 40,
  'test/cluster/redis-sentinel.test.ts': 40,
  'test/cluster/webhooks-stalled.test.ts': 39,
  'test/security/fuzz.test.ts': 39,
  'test/security/logins.test.ts': 38,
  'test/security/who-may-telephony.test.ts': 37,
  'test/cluster/chat-rolling.test.ts': 35,
  'test/cluster/crash.test.ts': 35,
  'test/security/unread-answers.test.ts': 35,
  'test/start/start.test.ts': 34,
  'test/actors/texting-sending.test.ts': 33,
  'test/cluster/mysql-return.test.ts': 33,
  'test/cluster/webhooks-burst.test.ts': 30,
  'test/cluster/many-tenants.test.ts': 28,
};

module.exports = { SLOW };

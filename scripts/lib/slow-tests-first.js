'use strict';

/**
 * The order in which jest runs test files: those that take long come first, so that none of them is left when the
 * others are over. They mostly wait; between them come groups of API tests, which mostly compute.
 */

const { default: Sequencer } = require('@jest/test-sequencer');

/** Seconds on two cores. A file that is missing here runs later than it might. */
const SLOW = {
  'test/actors/telephony-faults.test.ts': 102,
  'test/security/abuses.test.ts': 100,
  'test/cluster/telephony-pbx.test.ts': 90,
  'test/security/who-may-chat.test.ts': 90,
  'test/security/columns-hold.test.ts': 72,
  'test/actors/telephony-faults-freepbx.test.ts': 60,
  'test/actors/telephony-faults-asterisk.test.ts': 60,
  'test/security/rolling-orders.test.ts': 60,
  'test/security/cache-keys.test.ts': 58,
  'test/start/damaged.test.ts': 55,
  'test/security/durable-work.test.ts': 55,
  'test/cluster/telephony-crash.test.ts': 54,
  'test/start/ends.test.ts': 53,
  'test/security/refused-bodies.test.ts': 50,
  'test/cluster/webhooks-kills.test.ts': 50,
  'test/cluster/texting-carriers.test.ts': 49,
  'test/cluster/texting-nodes.test.ts': 45,
  'test/cluster/drain.test.ts': 43,
  'test/cluster/telephony-crash-dialects.test.ts': 43,
  'test/cluster/webhooks-deaf.test.ts': 39,
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
};

/** Of three workers, two have a slow file. */
const SLOW_AT_ONCE = 2;

/**
 * @template T
 * @param {readonly T[]} slow
 * @param {readonly T[]} others
 * @returns {T[]} two of the first, one of the second, and so on; then what is left
 */
function mix(slow, others) {
  const mixed = slow.flatMap((test, at) => {
    const next = Math.floor(at / SLOW_AT_ONCE);
    return at % SLOW_AT_ONCE === SLOW_AT_ONCE - 1 ? [test, ...others.slice(next, next + 1)] : [test];
  });
  return [...mixed, ...others.slice(Math.floor(slow.length / SLOW_AT_ONCE))];
}

/** @param {{ path: string }} test in jest's own words, or as scripts/lib/test-groups.js wrote it */
function secondsOf({ path }) {
  const found = Object.entries(SLOW).find(([file]) => path.replace(/js$/, 'ts').endsWith(`/${file}`));
  return found?.[1] ?? 0;
}

/** @param {{ path: string }} test whether it is one of scripts/lib/test-groups.js */
const isGroup = ({ path }) => /\/\d+\.test\.js$/.test(path);

class SlowTestsFirst extends Sequencer {
  /** @override @param {import('@jest/test-result').Test[]} tests */
  async sort(tests) {
    const sorted = await super.sort(tests);
    const slow = sorted.filter((test) => secondsOf(test) > 0).toSorted((a, b) => secondsOf(b) - secondsOf(a));
    const others = sorted.filter((test) => secondsOf(test) === 0);
    return mix(slow, [...others.filter(isGroup), ...others.filter((test) => !isGroup(test))]);
  }
}

module.exports = Object.assign(SlowTestsFirst, { SLOW, mix });

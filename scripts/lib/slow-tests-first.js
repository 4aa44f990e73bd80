'use strict';

/**
 * The order in which jest runs test files: those that take long come first, so that none of them is left when the
 * others are over. They mostly wait; between them come groups of API tests, which mostly compute.
 */

const { default: Sequencer } = require('@jest/test-sequencer');
const { SLOW } = require('./slow-test-files');

/** As many slow files come before each other one. */
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

/** @param {{ path: string }} test as it stands in test/, or as scripts/lib/test-groups.js wrote it */
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

module.exports = Object.assign(SlowTestsFirst, { mix });

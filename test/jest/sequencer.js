'use strict';

/** Starts the kinds of tests that take long first, so that at the end no worker is still busy alone. */

const { default: Sequencer } = require('@jest/test-sequencer');
const { LONG, SHORT } = require('../../scripts/lib/test/test-projects');

/** The short run's kinds of tests stand from the shortest to the longest. */
const KINDS = [...LONG, ...SHORT.toReversed()];

/** @typedef {import('@jest/test-result').Test} Test */

/** @param {Test} test */
const rankOf = ({ context }) => KINDS.indexOf(context.config.displayName?.name ?? '');

module.exports = class LongestFirst extends Sequencer {
  /** @override @param {Test[]} tests */
  sort(tests) {
    const sorted = /** @type {Test[]} */ (super.sort(tests));
    // Jest knows how long the files took in an earlier run, or else goes by their sizes.
    return sorted.some(({ duration }) => duration !== undefined)
      ? sorted
      : sorted.sort((a, b) => rankOf(a) - rankOf(b));
  }
};

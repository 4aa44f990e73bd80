'use strict';

/** The kinds of tests, each a folder of test/ and a project of jest, by the run that they belong to. */

/** What a change can break: npm test. */
const SHORT = ['unit', 'store', 'actors', 'api', 'access', 'smoke'];
/** The rest: npm run test:long. */
const LONG = ['cluster', 'start', 'browser', 'security', 'vendors'];
/** The tests that search for counter-examples once more, for the full time: a part of npm run test:long. */
const SEARCHES = 'whole-searches';
/** The tests about polling once more, without the poll fast path: a part of npm test. */
const POLLS = 'polls-through-koa';

module.exports = { LONG, POLLS, SEARCHES, SHORT };

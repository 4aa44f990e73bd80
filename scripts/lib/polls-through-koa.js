'use strict';

/** Sends every poll of the tests in a project through the Koa application: test clusters hand this on to their nodes. */
process.env['POLL_FAST_PATH'] = 'off';

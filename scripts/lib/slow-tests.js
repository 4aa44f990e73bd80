'use strict';

/** Gives the tests of a project that starts whole processes more time. Jest knows one limit for all projects only. */

jest.setTimeout(120_000);

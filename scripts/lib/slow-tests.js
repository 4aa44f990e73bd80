'use strict';

/** Gives the tests of a project that uses servers or processes more time. Jest knows one limit for all projects only. */

jest.setTimeout(1_800_000);

'use strict';

/**
 * The tests that an existing MySQL or MariaDB should pass: those of stores and of the API. Redis is still a private
 * one. The account needs all privileges: each test file creates a database `partyline_test_…` and drops it again.
 */

const DEFAULT_PATHS = ['test/store', 'test/api'];

/** These check query plans and counters of the MariaDB that npm test uses; another server plans differently. */
const OF_MARIADB = ['extension-lists', 'texting-plans', 'chat-reading-plans'];

/**
 * @param {readonly string[]} paths given by a person; none: all
 * @returns {string[]} for npm test
 */
function mysqlArguments(paths) {
  const ignored = OF_MARIADB.map((name) => `/test/store/${name}\\.test\\.ts$`);
  return [...(paths.length > 0 ? paths : DEFAULT_PATHS), `--testPathIgnorePatterns=${ignored.join('|')}`];
}

/** @param {string} url @param {string} password */
function withPassword(url, password) {
  const whole = new URL(url);
  whole.password = password;
  return whole.href;
}

module.exports = { mysqlArguments, withPassword };

'use strict';

/**
 * The tests that a MySQL or MariaDB which somebody has should pass: those of stores and of the API. Redis is a private
 * one, as ever. The account needs all rights: each test file makes a database `partyline_test_…` and drops it again.
 */

const DEFAULT_PATHS = ['test/store', 'test/api'];

/** About the plans and counters of the MariaDB that npm test runs on; another server plans in its own way. */
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

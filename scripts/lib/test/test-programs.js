'use strict';

/** Tests find the servers they may start in TEST_SERVICES, which `npm test` sets: one JSON object, program by name. */

/**
 * @param {import('../programs/programs').ProgramName} name
 * @returns {import('../programs/programs').Program}
 */
function programFor(name) {
  const text = process.env['TEST_SERVICES'];
  if (text === undefined) throw new Error('TEST_SERVICES is not set: run this by npm test');
  const program = JSON.parse(text)[name];
  if (program === undefined) throw new Error(`TEST_SERVICES names no ${name}`);
  return program;
}

/**
 * Whether this machine has all of these programs.
 *
 * @param {readonly import('../programs/programs').ProgramName[]} names
 */
function hasPrograms(names) {
  const programs = JSON.parse(process.env['TEST_SERVICES'] ?? '{}');
  return names.every((name) => programs[name] !== undefined);
}

module.exports = { hasPrograms, programFor };

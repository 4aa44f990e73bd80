'use strict';

/** The checks that only read the sources: types, lint, format. They run in parallel with the build. */

const path = require('node:path');
const { ensureBuild } = require('./build');
const { Failure } = require('../failure');
const { root } = require('../paths');
const { runCommand } = require('../run-command');

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} advice
 */
async function check(program, args, advice) {
  const bin = path.join(root, 'node_modules/.bin');
  const outcome = await runCommand(path.join(bin, program), args, {
    cwd: root,
    // oxlint looks for its type-aware companion in PATH.
    env: { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}`, NO_COLOR: '1' },
  });
  if (outcome.code !== 0) throw new Failure(advice, { detail: outcome.all });
}

/**
 * Runs all checks, so that one run shows every problem.
 *
 * @param {import('../progress').Progress} progress
 * @returns {Promise<unknown[]>} what failed
 */
async function runStaticChecks(progress) {
  const outcomes = await Promise.allSettled([
    ensureBuild(progress),
    // Together: linting takes the types anyway, and finding them twice takes as long as a third of the tests' set-up.
    progress.step('Checking types and linting', () =>
      check('oxlint', ['--type-aware', '--type-check'], 'Types are wrong, or lint failed (see above).'),
    ),
    progress.step('Checking format', () => check('oxfmt', ['--check', '.'], 'Format differs: run npm run format.')),
  ]);
  return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
}

module.exports = { runStaticChecks };

'use strict';

/**
 * A failure that the user can act on: one line that says what went wrong and what to do, and the exit code. Any other
 * error is a bug of ours and keeps its stack.
 */

class Failure extends Error {
  /**
   * @param {string} message
   * @param {{ exitCode?: number, detail?: string }} [options] detail is printed above the message, as it is
   */
  constructor(message, options = {}) {
    super(message);
    this.name = 'Failure';
    this.exitCode = options.exitCode ?? 1;
    this.detail = options.detail ?? '';
  }
}

/**
 * Prints the failure on stderr.
 *
 * @param {unknown} error
 * @returns {number} the exit code it asks for
 */
function reportFailure(error) {
  if (!(error instanceof Failure)) {
    console.error(error);
    return 1;
  }
  if (error.detail !== '') console.error(error.detail.trimEnd());
  console.error(error.message);
  return error.exitCode;
}

module.exports = { Failure, reportFailure };

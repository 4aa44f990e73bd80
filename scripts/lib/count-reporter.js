'use strict';

/**
 * A jest reporter that counts. Jest may still say something after its reporters, so the counts go to a file and npm
 * test prints its last line when all is over.
 */

const fs = require('node:fs');
const { countTests } = require('./counts');

module.exports = class CountReporter {
  /**
   * @param {unknown} _contexts
   * @param {import('./counts').JestResults} results
   */
  onRunComplete(_contexts, results) {
    const file = process.env['PARTYLINE_COUNTS'];
    if (file !== undefined) fs.writeFileSync(file, JSON.stringify(countTests(results)));
  }
};

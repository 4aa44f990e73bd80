'use strict';

/** Runs jest projects longer and larger than npm test has time for, and prints a table of the results. */

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { exitWith, inForeground } = require('../foreground');
const { checkNodeVersion } = require('../node-version');

/**
 * @typedef {object} LongRun
 * @property {readonly string[]} args jest's; the projects stand last: jest takes every word after that option for one
 * @property {(report: string) => NodeJS.ProcessEnv} env given the file in which a report is wanted
 * @property {(report: string) => string} table of the report's text
 */

/** @param {LongRun} run */
function main({ args, env, table }) {
  exitWith(async () => {
    checkNodeVersion();
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'partyline-report-'));
    const report = path.join(directory, 'report');
    const test = path.join(__dirname, '../../test.js');
    const code = await inForeground([test, ...process.argv.slice(2), ...args], { env: env(report) });
    if (fs.existsSync(report)) console.log(`\n${table(fs.readFileSync(report, 'utf8'))}`);
    fs.rmSync(directory, { recursive: true, force: true });
    return code;
  });
}

/** @param {string} text one JSON object a line */
const linesOf = (text) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** @param {readonly (readonly string[])[]} rows @returns {string} in columns, numbers to the right */
function columns(rows) {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  /** @param {string} cell @param {number} at */
  const pad = (cell, at) => (/^[\d.]+$/.test(cell) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0));
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}

module.exports = { columns, linesOf, main };

'use strict';

/**
 * Test files that share one file of jest.
 *
 * Jest loads all modules anew for each of its files. For the whole server that takes more CPU than the tests of most
 * API files. So a run of everything gives jest a few files, each of which loads several test files, one describe
 * block each. A run of single paths gives jest the test files themselves.
 */

const fs = require('node:fs');
const path = require('node:path');
const { createHash } = require('node:crypto');
const { root } = require('./paths');
const { polledBothWays } = require('./poll-tests');

/** @typedef {{ part: number, of: number }} Share which part of the test files, counted from 1 */

/** Of jest. Groups should end at about the same time on all of them. */
const WORKERS = 3;
const FILES_IN_GROUP = 8;

/** Changes of the jest object last until the end of jest's file, and would reach other test files. */
const CHANGES_JEST = /\bjest\.(?!fn\b)/;

/** @param {string} folder below the root */
function testsIn(folder) {
  return fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join(folder, name.split(path.sep).join('/')))
    .filter((name) => name.endsWith('.test.ts'))
    .toSorted();
}

/** Test files of the projects that run in groups. */
const groupedTests = {
  store: () => testsIn('test/store'),
  api: () => testsIn('test/api'),
  'polls-through-koa': () => polledBothWays,
};

/**
 * Whether a file runs alone: it changes the jest object, or it starts processes and takes long.
 *
 * @param {string} file
 */
function runsAlone(file) {
  return !/^test\/(api|store)\//.test(file) || CHANGES_JEST.test(fs.readFileSync(path.join(root, file), 'utf8'));
}

/** @param {string} file @param {Share} share so that a file stays in its part when others are added */
function isInShare(file, { part, of }) {
  return createHash('sha256').update(file).digest().readUInt32BE() % of === part - 1;
}

/**
 * @param {readonly string[]} files
 * @returns {string[][]} each file once
 */
function groupTests(files) {
  const alone = files.filter(runsAlone);
  const together = files.filter((file) => !alone.includes(file));
  const count = WORKERS * Math.ceil(together.length / (WORKERS * FILES_IN_GROUP));
  const groups = Array.from({ length: count }, (_, at) => together.filter((_file, index) => index % count === at));
  return [...groups.filter((group) => group.length > 0), ...alone.map((file) => [file])];
}

/** @param {readonly string[]} group */
function groupText(group) {
  const blocks = group.map((file) => {
    const [title, module] = [file, path.join(root, file)].map((each) => JSON.stringify(each));
    return `describe(${title}, () => load(${module}));\n`;
  });
  // One that cannot be loaded fails alone.
  const load = `const load = (path) => {
  try {
    require(path);
  } catch (error) {
    test('The test file can be loaded', () => {
      throw error;
    });
  }
};
`;
  return `'use strict';\n\n${load}\n${blocks.join('')}`;
}

/**
 * @param {string} directory made by this; a folder for each project is put into it
 * @param {Share} share
 */
function writeGroups(directory, share) {
  for (const [project, list] of Object.entries(groupedTests)) {
    const folder = path.join(directory, project);
    fs.mkdirSync(folder, { recursive: true });
    for (const [index, group] of groupTests(list().filter((file) => isInShare(file, share))).entries()) {
      fs.writeFileSync(path.join(folder, `${index + 1}.test.js`), groupText(group));
    }
  }
}

module.exports = { WORKERS, groupedTests, groupTests, isInShare, writeGroups };

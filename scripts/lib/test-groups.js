'use strict';

/**
 * Test files that share one file of jest.
 *
 * Jest loads all modules anew for each of its files. For the whole server that takes more CPU than the tests of most
 * files. So a run of everything gives jest a few files, each of which loads several test files, one describe
 * block each. A run of single paths gives jest the test files themselves.
 */

const fs = require('node:fs');
const path = require('node:path');
const { createHash } = require('node:crypto');
const { root } = require('./paths');
const { polledBothWays } = require('./poll-tests');
const { SLOW } = require('./slow-test-files');

/** @typedef {{ part: number, of: number }} Share which part of the test files, counted from 1 */

/** Of jest. Groups should end at about the same time on all of them. */
const WORKERS = 4;

/**
 * Changes of the jest object last until the end of jest's file, and would reach other test files. Spies do not: they are
 * removed at the end of each test file.
 */
const CHANGES_JEST = /\bjest\.(?!(?:fn|spyOn|SpyInstance|restoreAllMocks)\b)/;

/** @param {string} folder below the root @param {{ recursive: boolean }} [options] */
function testsIn(folder, { recursive } = { recursive: true }) {
  return fs
    .readdirSync(path.join(root, folder), { recursive, encoding: 'utf8' })
    .map((name) => path.posix.join(folder, name.split(path.sep).join('/')))
    .filter((name) => name.endsWith('.test.ts'))
    .toSorted();
}

/**
 * The files of each project, and the most that a group of them may hold: the longer they take, the fewer, so that no
 * group is left when the others are over.
 */
const groupedProjects = {
  unit: { files: () => [...testsIn('test', { recursive: false }), ...testsIn('test/unit')], most: 40 },
  store: { files: () => testsIn('test/store'), most: 8 },
  actors: { files: () => testsIn('test/actors'), most: 6 },
  api: { files: () => testsIn('test/api'), most: 24 },
  cluster: { files: () => testsIn('test/cluster'), most: 6 },
  start: { files: () => testsIn('test/start'), most: 3 },
  security: { files: () => testsIn('test/security'), most: 6 },
  'polls-through-koa': { files: () => polledBothWays, most: 16 },
};

/**
 * Whether a file runs alone: it takes long, or it changes the jest object.
 *
 * @param {string} file
 */
function runsAlone(file) {
  return file in SLOW || CHANGES_JEST.test(fs.readFileSync(path.join(root, file), 'utf8'));
}

/** @param {string} file @param {Share} share so that a file stays in its part when others are added */
function isInShare(file, { part, of }) {
  return createHash('sha256').update(file).digest().readUInt32BE() % of === part - 1;
}

/**
 * @param {readonly string[]} files
 * @param {number} most files in a group
 * @returns {string[][]} each file once
 */
function groupTests(files, most) {
  const alone = files.filter(runsAlone);
  const together = files.filter((file) => !alone.includes(file));
  const count = WORKERS * Math.ceil(together.length / (WORKERS * most));
  const groups = Array.from({ length: count }, (_, at) => together.filter((_file, index) => index % count === at));
  return [...groups.filter((group) => group.length > 0), ...alone.map((file) => [file])];
}

/** @param {readonly string[]} group */
function groupText(group) {
  const blocks = group.map((file) => {
    const [title, module] = [file, path.join(root, file)].map((each) => JSON.stringify(each));
    return `describe(${title}, () => {\n  afterAll(() => jest.restoreAllMocks());\n  load(${module});\n});\n`;
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
 * A file that runs alone keeps its path, so that the order of test files knows it.
 *
 * @param {string} folder
 * @param {readonly string[]} group
 * @param {number} index
 */
function writeGroup(folder, group, index) {
  const [only] = group.length === 1 ? group : [];
  const target = path.join(folder, only?.replace(/ts$/, 'js') ?? `${index + 1}.test.js`);
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.writeFileSync(target, groupText(group));
}

/**
 * @param {string} directory made by this; a folder for each project is put into it
 * @param {Share} share of all but the unit tests: those run whole on every release of Node
 */
function writeGroups(directory, share) {
  for (const [project, { files, most }] of Object.entries(groupedProjects)) {
    const folder = path.join(directory, project);
    fs.mkdirSync(folder, { recursive: true });
    const chosen = files().filter((file) => project === 'unit' || isInShare(file, share));
    for (const [index, group] of groupTests(chosen, most).entries()) writeGroup(folder, group, index);
  }
}

module.exports = { WORKERS, groupedProjects, groupTests, isInShare, writeGroups };

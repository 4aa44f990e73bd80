// Test files that share one file of jest: which run together, and which alone.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { groupedTests, groupTests, isInShare, writeGroups } from '../../../scripts/lib/test-groups';

const projects = Object.entries(groupedTests).map(([name, list]) => [name, list()] as const);
const root = join(__dirname, '../../..');

test.each(projects)('Each test file of the project %s is in one group.', (_, files) => {
  expect(files.length).toBeGreaterThan(10);
  expect(groupTests(files).flat().toSorted()).toEqual(files.toSorted());
});

test('Each test file belongs to one of the three parts, and no part has less than a quarter of them.', () => {
  const files = groupedTests.api();
  const parts = [1, 2, 3].map((part) => files.filter((file) => isInShare(file, { part, of: 3 })));
  expect(parts.flat().toSorted()).toEqual(files);
  for (const part of parts) expect(part.length).toBeGreaterThan(files.length / 4);
});

test('Test files of the API run about eight at once, and a file that changes the jest object runs alone.', () => {
  const groups = groupTests(groupedTests.api());
  expect(groups[0]!.length).toBeGreaterThan(4);
  expect(groups.filter((group) => group.length > 8)).toEqual([]);
  expect(groups).toContainEqual(['test/api/cli/instances.test.ts']);
  expect(readFileSync(join(root, 'test/api/cli/instances.test.ts'), 'utf8')).toContain('jest.setTimeout(');
});

test('The files for jest load every test file of their project by its whole path.', () => {
  const directory = mkdtempSync(join(tmpdir(), 'test-groups-'));
  try {
    writeGroups(directory, { part: 1, of: 1 });
    for (const [name, files] of projects) {
      const folder = join(directory, name);
      const texts = readdirSync(folder).map((each) => readFileSync(join(folder, each), 'utf8'));
      const loaded = texts.flatMap((text) => [...text.matchAll(/load\("([^"]+)"\)/g)].map(([, path]) => path!));
      expect(loaded.toSorted()).toEqual(files.map((file) => join(root, file)).toSorted());
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

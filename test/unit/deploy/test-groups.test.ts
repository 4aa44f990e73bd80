// Test files that share one file of jest: which run together, and which alone.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { groupedProjects, groupTests, isInShare, writeGroups } from '../../../scripts/lib/test-groups';

const projects = Object.entries(groupedProjects).map(([name, { files, most }]) => [name, files(), most] as const);
const root = join(__dirname, '../../..');

test.each(projects)('Each test file of the project %s is in one group', (_, files, most) => {
  const groups = groupTests(files, most);
  expect(files.length).toBeGreaterThan(5);
  expect(groups.flat().toSorted()).toEqual(files.toSorted());
  expect(groups.filter((group) => group.length > most)).toEqual([]);
});

test('Each test file belongs to one of the three parts, and no part has less than a quarter of them', () => {
  const files = groupedProjects.api.files();
  const parts = [1, 2, 3].map((part) => files.filter((file) => isInShare(file, { part, of: 3 })));
  expect(parts.flat().toSorted()).toEqual(files);
  for (const part of parts) expect(part.length).toBeGreaterThan(files.length / 4);
});

test('A test file that takes long or changes the jest object runs alone, under its own path', () => {
  const groups = groupTests(groupedProjects.security.files(), 3);
  expect(groups).toContainEqual(['test/security/abuses.test.ts']);
  expect(groups[0]!.length).toBeGreaterThan(1);
  const alarm = 'test/unit/telephony/alarm.test.ts';
  expect(readFileSync(join(root, alarm), 'utf8')).toContain('jest.useFakeTimers(');
  expect(groupTests(groupedProjects.unit.files(), 40)).toContainEqual([alarm]);
});

test('The files for jest load every test file of their project by its whole path', () => {
  const directory = mkdtempSync(join(tmpdir(), 'test-groups-'));
  try {
    writeGroups(directory, { part: 1, of: 1 });
    for (const [name, files] of projects) {
      const folder = join(directory, name);
      const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((each) => each.endsWith('.js'));
      const texts = names.map((each) => readFileSync(join(folder, each), 'utf8'));
      const loaded = texts.flatMap((text) => [...text.matchAll(/load\("([^"]+)"\)/g)].map(([, path]) => path!));
      expect(loaded.toSorted()).toEqual(files.map((file) => join(root, file)).toSorted());
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

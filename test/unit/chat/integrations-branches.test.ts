import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { integrations } from '../../../src/chat/integrations';

const root = join(__dirname, '../../../src/chat/integrations');

const format = (name: string, file: string, branches?: string) => {
  const { payload, event } = JSON.parse(readFileSync(join(root, name, 'payloads', file), 'utf8'));
  return integrations.get(name)!.format({ payload, event, branches });
};

test.each(['github', 'gitlab', 'bitbucket'])('%s leaves out pushes to branches that are not wanted', (name) => {
  const told = format(name, 'push.json');
  expect(told).not.toBeNull();
  expect(format(name, 'push.json', 'master')).toEqual(told);
  expect(format(name, 'push.json', 'development, master')).toEqual(told);
  expect(format(name, 'push.json', 'development')).toBeNull();
});

test('what is no push to a branch is told all the same', () => {
  expect(format('gitlab', 'tag-pushed.json', 'development')).not.toBeNull();
  expect(format('github', 'issue-opened.json', 'development')).not.toBeNull();
  expect(format('bitbucket', 'push-tag.json', 'development')).not.toBeNull();
  expect(format('bitbucket', 'push-branch-and-tag.json', 'development')).not.toBeNull();
});

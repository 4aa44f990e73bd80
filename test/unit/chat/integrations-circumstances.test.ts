import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { integrations } from '../../../src/chat/integrations';
import type { Circumstances } from '../../../src/chat/integrations/git-text';

const root = join(__dirname, '../../../src/chat/integrations');

const formatWith = (name: string, file: string, given: Circumstances) => {
  const { payload, event } = JSON.parse(readFileSync(join(root, name, 'payloads', file), 'utf8'));
  return integrations.get(name)!.format({ payload, event, ...given });
};
const format = (name: string, file: string, branches?: string) => formatWith(name, file, { branches });

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

test.each([
  ['github', 'pull-request-merged.json', /\[PR #\d+ \S.*\]\(/],
  ['github', 'issue-comment.json', /\[Issue #\d+ \S.*\]\(/],
  ['github', 'review.json', /\[PR Review for #\d+ \S.*\]\(/],
  ['gitlab', 'merge-request-merged.json', /\[MR #1 MS-Viewport\]\(/],
  ['gitlab', 'note-issue.json', /\[Issue #17 test\]\(/],
  ['bitbucket', 'pull-request-approved.json', /\[PR #1 Title of pull request\]\(/],
  ['bitbucket', 'issue-created.json', /\[Issue #1 Issue title\]\(/],
])('%s says in the message of %s what its topic would have said, where another is given', (name, file, titled) => {
  expect(formatWith(name, file, { isTopicGiven: true })?.content).toMatch(titled);
  expect(formatWith(name, file, {})?.content).not.toMatch(titled);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { integrations } from '../../../src/chat/integrations';
import type { Circumstances } from '../../../src/chat/integrations/git-text';
import { noticesOf } from '../../../src/chat/integrations/integration';

const root = join(__dirname, '../../../src/chat/integrations');

const formatWith = (name: string, file: string, given: Circumstances) => {
  const { payload, event = '' } = JSON.parse(readFileSync(join(root, name, 'payloads', file), 'utf8'));
  return noticesOf(integrations.get(name)!.format({ payload, event, ...given }));
};
const format = (name: string, file: string, branches?: string) => formatWith(name, file, { branches });

test.each(['github', 'gitlab', 'bitbucket', 'bitbucket2', 'bitbucket3'])(
  'The integration %s leaves out pushes to branches that are not wanted',
  (name) => {
    const told = format(name, 'push.json');
    expect(told).toHaveLength(1);
    expect(format(name, 'push.json', 'master')).toEqual(told);
    expect(format(name, 'push.json', 'development, master')).toEqual(told);
    expect(format(name, 'push.json', 'development')).toEqual([]);
  },
);

test("A push without commits to Bitbucket's POST service is posted whatever branches are wanted", () => {
  expect(format('bitbucket', 'push-forced.json', 'development')).toHaveLength(1);
});

test('An event that is no push to a branch is posted whatever branches are wanted', () => {
  expect(format('gitlab', 'tag-pushed.json', 'development')).toHaveLength(1);
  expect(format('github', 'push-tag.json', 'development')).toHaveLength(1);
  expect(format('github', 'issue-opened.json', 'development')).toHaveLength(1);
  expect(format('bitbucket2', 'push-tag.json', 'development')).toHaveLength(1);
});

test('A push that changes several branches posts only the changes to wanted branches', () => {
  const [master, tag] = format('bitbucket2', 'push-branch-and-tag.json');
  expect(format('bitbucket2', 'push-branch-and-tag.json', 'master')).toEqual([master, tag]);
  expect(format('bitbucket2', 'push-branch-and-tag.json', 'development')).toEqual([tag]);
  const topics = format('bitbucket3', 'push-branches-and-tag.json', 'next').map(({ topic }) => topic);
  expect(topics).toEqual(['shop / next', 'shop']);
});

test.each([
  ['github', 'pull-request-merged.json', /\[PR #\d+ \S.*\]\(/],
  ['github', 'issue-comment.json', /\[Issue #\d+ \S.*\]\(/],
  ['github', 'review.json', /\[PR Review for #\d+ \S.*\]\(/],
  ['gitlab', 'merge-request-merged.json', /\[MR #1 MS-Viewport\]\(/],
  ['gitlab', 'note-issue.json', /\[Issue #17 test\]\(/],
  ['bitbucket2', 'pull-request-approved.json', /\[PR #1 Title of pull request\]\(/],
  ['bitbucket3', 'pull-request-approved.json', /\[PR #5 Open earlier\]\(/],
  ['bitbucket2', 'issue-created.json', /\[Issue #1 Issue title\]\(/],
])('The integration %s puts the title of %s into the message if the URL gives the topic', (name, file, titled) => {
  expect(formatWith(name, file, { isTopicGiven: true })[0]?.content).toMatch(titled);
  expect(formatWith(name, file, {})[0]?.content).not.toMatch(titled);
});

test('The Alertmanager integration names the subject of an alert in the message if the URL gives the topic', () => {
  const [notice] = formatWith('alertmanager', 'firing.json', { isTopicGiven: true });
  expect(notice?.content).toContain('**FIRING** core-1: CPU core');
});

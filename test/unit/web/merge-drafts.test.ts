import type { Draft } from '../../../web/chat/drafts/drafts';
import { mergeAll, mergeOne, toServer, type ServerDraft } from '../../../web/chat/drafts/merge-drafts';

const draft = (key: string, more: Partial<Draft> = {}): Draft => ({
  type: 'stream',
  streamId: 1,
  topic: key,
  userIds: [],
  key,
  content: `text of ${key}`,
  at: 10,
  ...more,
});
const saved = (id: number, of: Draft, more: Partial<ServerDraft> = {}): ServerDraft => ({
  id,
  ...toServer(of),
  ...more,
});
const shown = (drafts: readonly Draft[]) => drafts.map(({ content, serverId }) => [content, serverId]);

test('A draft that the server no longer has is gone, unless it was changed here or never saved', () => {
  const drafts = [draft('gone', { serverId: 1 }), draft('changed', { serverId: 2, isChanged: true }), draft('new')];
  expect(shown(mergeAll(drafts, []))).toEqual([
    ['text of changed', 2],
    ['text of new', undefined],
  ]);
});

test('A draft of the server replaces the one here, unless that has a change that the server does not know', () => {
  const [still, changed] = [draft('still', { serverId: 1 }), draft('changed', { serverId: 2, isChanged: true })];
  const server = [saved(1, still, { content: 'newer', timestamp: 20 }), saved(2, changed, { content: 'other' })];
  expect(shown(mergeAll([still, changed], server))).toEqual([
    ['newer', 1],
    ['text of changed', 2],
  ]);
});

test('A draft whose saving was not answered is not there twice', () => {
  const lost = draft('lost', { isChanged: true });
  expect(mergeOne([lost], saved(7, lost))).toEqual([{ ...lost, serverId: 7, isChanged: false }]);
});

test('Files of a draft are links on the server, and stay files here', () => {
  const withFile = draft('file', { files: [{ name: 'a.txt', uri: '/user_uploads/1/a.txt' }], serverId: 3 });
  expect(toServer(withFile).content).toBe('text of file\n[a.txt](/user_uploads/1/a.txt)');
  expect(mergeOne([withFile], saved(3, withFile))[0]!.files).toHaveLength(1);
});

test('A draft without recipients has no type on the server, and people are in order here', () => {
  expect(toServer(draft('nobody', { streamId: 0 }))).toMatchObject({ type: '', to: [] });
  const [group] = mergeOne([], { id: 1, type: 'private', to: [9, 4], topic: '', content: 'x', timestamp: 1 });
  expect(group).toMatchObject({ type: 'private', userIds: [4, 9], serverId: 1 });
});

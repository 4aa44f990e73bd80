// Where the side bar shows a stream.
import { useChat } from '../../../../web/chat/data/store';
import { addUnread, emptyUnread } from '../../../../web/chat/data/unread';
import type { Message, Subscription } from '../../../../web/chat/data/wire';
import { foldersFrom, FOLDER_CHANGES, type Folder } from '../../../../web/chat/streams/folders';
import { wakeStreams } from '../../../../web/chat/streams/wake-streams';
import {
  groupOf,
  groupsIn,
  inOrder,
  isDemoting,
  placesIn,
  unreadInactive,
} from '../../../../web/chat/side/stream-groups';

const folder = (id: number, order: number, more: Partial<Folder> = {}): Folder => ({
  id,
  name: `folder ${id}`,
  description: '',
  order,
  is_archived: false,
  ...more,
});
const stream = (stream_id: number, more: Partial<Subscription> = {}): Subscription =>
  ({ stream_id, name: `stream ${stream_id}`, pin_to_top: false, is_muted: false, ...more }) as Subscription;

const quiet = { is_recently_active: false };
const streams = [
  stream(1, { is_muted: true, folder_id: 10 }),
  stream(2, quiet),
  stream(3),
  stream(4, { folder_id: 10 }),
  stream(5, { folder_id: 11, is_recently_active: true }),
  stream(6, { pin_to_top: true, is_muted: true }),
  stream(7, { pin_to_top: true, ...quiet, folder_id: 11 }),
  stream(8, { folder_id: 99 }),
  stream(9, { ...quiet, folder_id: 11 }),
];
const folders = foldersFrom([folder(10, 1), folder(11, 0)]);
const places = { folders, isDemoting: true, unread: '' };

describe('The order of streams in the side bar', () => {
  test('Pinned streams come first, then folders in their order, other streams, inactive and muted ones', () => {
    const groupFor = groupOf(places);
    const shown = inOrder(streams, places).map((each) => [each.stream_id, groupFor(each)]);
    expect(shown).toEqual([
      [7, 'pinned'],
      [6, 'pinned'],
      [5, 'folder:11'],
      [4, 'folder:10'],
      [3, 'streams'],
      [8, 'streams'],
      [2, 'inactive'],
      [9, 'inactive'],
      [1, 'muted'],
    ]);
    expect(groupsIn(places)).toEqual(['pinned', 'folder:11', 'folder:10', 'streams', 'inactive', 'muted']);
  });

  test('A stream with something unread is never among the inactive ones', () => {
    const groupFor = groupOf({ ...places, unread: '9' });
    expect([2, 9].map((id) => groupFor(streams.find((each) => each.stream_id === id)!))).toEqual([
      'inactive',
      'folder:11',
    ]);
    const conversation = 's:9:topic';
    const unread = addUnread(emptyUnread(), [{ id: 1, conversation, topic: 'topic', isMention: false }]);
    const subscriptions = new Map(streams.map((each) => [each.stream_id, each]));
    const state = { ...useChat.getState(), subscriptions, unread, folders };
    expect(unreadInactive(state)).toBe('9');
    expect(placesIn(state)).toEqual({ folders, isDemoting: false, unread: '9' });
  });

  test('Inactive streams stand apart from 30 streams on, or as the user chooses', () => {
    const many = (size: number) => new Map(Array.from({ length: size }, (_, id) => [id, stream(id)]));
    const chosen = (choice: number | undefined, size: number) =>
      isDemoting({ settings: { demote_inactive_streams: choice }, subscriptions: many(size) });
    expect([chosen(1, 29), chosen(1, 30), chosen(undefined, 30)]).toEqual([false, true, true]);
    expect([chosen(2, 1), chosen(3, 100)]).toEqual([true, false]);
  });

  test('A message makes an inactive stream active', () => {
    const subscriptions = new Map(streams.map((each) => [each.stream_id, each]));
    const state = { ...useChat.getState(), subscriptions };
    const after = wakeStreams(state, [{ stream_id: 9 }, { stream_id: 404 }, {}] as Message[]);
    expect(after.subscriptions.get(9)).toEqual(stream(9, { folder_id: 11, is_recently_active: true }));
    expect(wakeStreams(state, [{ stream_id: 5 }] as Message[]).subscriptions).toBe(subscriptions);
  });
});

describe('Events about folders of streams', () => {
  const applied = (before: readonly Folder[], event: object): readonly Folder[] =>
    FOLDER_CHANGES['channel_folder']!(
      { ...useChat.getState(), folders: before },
      { id: 1, type: 'channel_folder', ...event },
    ).folders!;

  test('A new folder joins the others, and one that arrives twice does so once', () => {
    const added = { op: 'add', channel_folder: folder(12, 2) };
    const once = applied(folders, added);
    expect(once.map(({ id }) => id)).toEqual([11, 10, 12]);
    expect(applied(once, added)).toEqual(once);
  });

  test('An update changes what it names, and a new order sorts the folders', () => {
    const renamed = applied(folders, { op: 'update', channel_folder_id: 11, data: { name: 'new' } });
    expect(renamed[0]).toEqual(folder(11, 0, { name: 'new' }));
    expect(applied(folders, { op: 'reorder', order: [10, 11] })).toEqual([folder(10, 0), folder(11, 1)]);
    expect(applied(folders, { op: 'unheard of' })).toEqual(folders);
  });
});

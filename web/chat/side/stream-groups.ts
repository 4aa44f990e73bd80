/** In which order, and under which headings, the side bar shows the user's streams. */
import { chat, type ChatState } from '../data/store';
import type { Subscription } from '../data/wire';
import type { Folder } from '../streams/folders';
import { countsOf } from './unread-total';

export type StreamGroup = 'pinned' | `folder:${number}` | 'streams' | 'inactive' | 'muted';

/** What decides about the place of a stream besides the subscription. */
export interface Places {
  /** In their order. */
  readonly folders: readonly Folder[];
  /** Whether streams that are not recently active stand apart. */
  readonly isDemoting: boolean;
  /** Ids of those that have something unread nevertheless, with commas. A text, so that it compares. */
  readonly unread: string;
}

type Placing = Pick<ChatState, 'folders' | 'settings' | 'subscriptions' | 'unread' | 'userTopics'>;

/** As in Zulip: from so many streams on, if the user has not chosen. */
const MANY = 30;

export function isDemoting({ settings, subscriptions }: Pick<ChatState, 'settings' | 'subscriptions'>): boolean {
  const choice = settings['demote_inactive_streams'] ?? 1;
  return choice === 2 || (choice === 1 && subscriptions.size >= MANY);
}

export function unreadInactive(state: Pick<Placing, 'subscriptions' | 'unread' | 'userTopics'>): string {
  const unread = countsOf(state).streams.keys();
  return [...unread].filter((id) => state.subscriptions.get(id)?.is_recently_active === false).join();
}

export const placesIn = (state: Placing): Places => ({
  folders: state.folders,
  isDemoting: isDemoting(state),
  unread: unreadInactive(state),
});

export const groupsIn = ({ folders }: Pick<Places, 'folders'>): readonly StreamGroup[] => [
  'pinned',
  ...folders.map(({ id }): StreamGroup => `folder:${id}`),
  'streams',
  'inactive',
  'muted',
];

/** Says in which group a stream is. A stream with something unread is never among the inactive ones. */
export function groupOf({ folders, isDemoting: isApart, unread }: Places): (stream: Subscription) => StreamGroup {
  const known = new Set(folders.map(({ id }) => id));
  const isUnread = new Set(unread.split(',').map(Number));
  return ({ stream_id: id, pin_to_top, is_muted, is_recently_active, folder_id: folder }) => {
    if (pin_to_top) return 'pinned';
    if (is_muted) return 'muted';
    if (isApart && is_recently_active === false && !isUnread.has(id)) return 'inactive';
    return typeof folder === 'number' && known.has(folder) ? `folder:${folder}` : 'streams';
  };
}

const byName = new Intl.Collator();

/** By heading; muted streams last among the pinned ones; then by name. */
export function inOrder(subscriptions: Iterable<Subscription>, places: Places = placesIn(chat())): Subscription[] {
  const rankOf = new Map(groupsIn(places).map((group, rank) => [group, rank * 2]));
  const groupFor = groupOf(places);
  return [...subscriptions]
    .map((each) => ({ each, rank: rankOf.get(groupFor(each))! + Number(each.is_muted) }))
    .sort((a, b) => a.rank - b.rank || byName.compare(a.each.name, b.each.name))
    .map(({ each }) => each);
}

/** All that a user has not read where they are subscribed, the newest of it, as of one moment if read in a snapshot. */
import type { Database } from '../../kernel/mysql/pool';
import { driversOf, type Seek } from '../model/narrow-drivers';
import { isUnread, type Glance, type ReadState } from '../model/read-state';
import { MOST_UNREAD, unreadMessagesOf, type UnreadMessages } from '../model/unread-messages';
import type { User } from '../model/user';
import { mutedTopicIds } from '../store/narrow-names';
import { walk } from '../store/narrowed-messages';
import * as readState from '../store/read-state';
import { positions } from '../store/search';
import * as unread from '../store/unread';

/** Ids that are looked at together. */
const WINDOW = 200_000;

export async function unreadMessages(db: Database, user: User): Promise<UnreadMessages> {
  const whole = await readState.load(db, user.id);
  // What was left behind in a stream one has left is nobody's concern.
  const places = [...whole.places].filter(([, { isSubscribed }]) => isSubscribed);
  const state: ReadState = { ...whole, places: new Map(places) };
  const { head } = await positions(db, user.realmId);
  const found: Glance[] = [];
  const mentioned = new Set<number>();
  const lowest = Math.min(...seeksOf(state).map(({ from }) => from));
  for (let to = head; to > 0 && to >= lowest && found.length < MOST_UNREAD; to -= WINDOW) {
    const range = { from: Math.max(1, to - WINDOW + 1), to };
    const seeks = seeksOf(state).map((seek) => ({
      ...seek,
      from: Math.max(seek.from, range.from),
      to: Math.min(seek.to, to),
    }));
    const by = { realmId: user.realmId, userId: user.id, direction: 'down' as const, start: to, limit: WINDOW };
    const { glances } = await walk(db, seeks, by);
    const { marks, mentioned: some } = await unread.marksBetween(db, user.id, range);
    found.push(...glances.filter((glance) => isUnread(state, glance, marks)));
    for (const id of some) mentioned.add(id);
  }
  const newest = found.slice(0, MOST_UNREAD).reverse();
  const names = await unread.namesAround(db, newest);
  return unreadMessagesOf(newest, {
    state,
    ...names,
    mentioned,
    mutedTopics: new Set(await mutedTopicIds(db, user.id)),
  });
}

function seeksOf(state: ReadState): readonly Seek[] {
  const tests = [{ condition: { kind: 'unread' as const }, negated: false }];
  const narrow = { tests, history: new Set<number>(), phrases: [], words: new Set<string>() };
  return driversOf(narrow, { state, indexedId: 0 })[0]!.seeks;
}

/** A user's newest unread messages in current subscriptions. Consistent if read in a snapshot. */
import type { Database } from '../../../kernel/mysql/pool';
import { runRead } from '../../../kernel/mysql/read-packet';
import { driversOf, type Seek } from '../../model/reading/narrow-drivers';
import { ENDLESS, isUnread, type MessageRef, type ReadState } from '../../model/reading/read-state';
import { MAX_UNREAD, type UnreadMessages, unreadMessagesOf } from '../../model/reading/unread-messages';
import type { User, UserId } from '../../model/users/user';
import { mutedTopicIds } from '../../store/reading/narrow-names';
import { walkWhole, windowRead } from '../../store/reading/narrowed-messages';
import * as readState from '../../store/reading/read-state';
import { positions } from '../../store/reading/search';
import * as unread from '../../store/reading/unread';

/** Number of ids per pass. */
const WINDOW = 200_000;
const NEW = 5000;

export async function unreadMessages(db: Database, user: User): Promise<UnreadMessages> {
  const whole = await readState.load(db, user.id);
  // Unread messages in streams that the user left do not count.
  const places = [...whole.places].filter(([, { isSubscribed }]) => isSubscribed);
  const state: ReadState = { ...whole, places: new Map(places) };
  const { head } = await positions(db, user.realmId);
  const found: MessageRef[] = [];
  const mentioned = new Set<number>();
  const seeks = seeksOf(state);
  const lowest = Math.min(await unread.lowestException(db, user.id), ...seeks.map(({ from }) => from || ENDLESS));
  for (let to = head; to > 0 && to >= lowest && found.length < MAX_UNREAD; to -= WINDOW) {
    const range = { from: Math.max(1, to - WINDOW + 1), to };
    const within = seeks.map((seek) => ({ ...seek, from: Math.max(seek.from, range.from), to: Math.min(seek.to, to) }));
    const refs = await refsIn(db, state, { user, seeks: within, lowest, to });
    const { marks, mentioned: some } = await unread.marksBetween(db, user.id, range);
    for (const ref of refs) if (isUnread(state, ref, marks)) found.push(ref);
    for (const id of some) mentioned.add(id);
  }
  const newest = found.slice(0, MAX_UNREAD).reverse();
  const names = await unread.namesAround(db, newest);
  return unreadMessagesOf(newest, {
    state,
    ...names,
    mentioned,
    mutedTopics: new Set(await mutedTopicIds(db, user.id)),
  });
}

interface MessageRange {
  readonly user: User;
  readonly seeks: readonly Seek[];
  /** No message below this id is unread. */
  readonly lowest: number;
  readonly to: number;
}

/** Unread messages are mostly new. Reading everything new is then cheaper than looking into each conversation. */
async function refsIn(
  db: Database,
  state: ReadState,
  { user, seeks, lowest, to }: MessageRange,
): Promise<MessageRef[]> {
  if (to - lowest < NEW) {
    const window = { recipientIds: [0, ...state.places.keys()], from: lowest, to };
    const { refs } = await runRead(db, windowRead({ realmId: user.realmId, userId: user.id }, window));
    return refs.toReversed();
  }
  return walkWhole(db, seeks, { realmId: user.realmId, userId: user.id, direction: 'down', start: to });
}

function seeksOf(state: ReadState): readonly Seek[] {
  const tests = [{ condition: { kind: 'unread' as const }, negated: false }];
  const narrow = { tests, history: new Set<number>(), phrases: [], words: new Set<string>() };
  return driversOf(narrow, { state, indexedId: 0 })[0]!.seeks;
}

/** Filters messages to those that a user has received and not read. */
export async function unreadAmong<T extends MessageRef>(
  db: Database,
  userId: UserId,
  messages: readonly T[],
): Promise<T[]> {
  if (messages.length === 0) return [];
  const places = [...new Set(messages.map(({ recipientId }) => recipientId))];
  const state = await readState.load(db, userId, places);
  const marks = await readState.marksOf(db, userId, messages);
  return messages.filter((message) => isUnread(state, message, marks));
}

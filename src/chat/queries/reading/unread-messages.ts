/** A user's newest unread messages in current subscriptions. Consistent if read in a snapshot. */
import type { Database } from '../../../kernel/mysql/pool';
import { mapRead, together, type Read, type RunRead } from '../../../kernel/mysql/read-packet';
import { driversOf, type Seek } from '../../model/reading/narrow-drivers';
import { ENDLESS, isUnread, type MessageRef, type ReadState } from '../../model/reading/read-state';
import { MAX_UNREAD, type UnreadMessages, unreadMessagesOf } from '../../model/reading/unread-messages';
import type { User, UserId } from '../../model/users/user';
import { rangesRead, windowRead } from '../../store/reading/message-refs';
import { wholeRead } from '../../store/reading/narrowed-messages';
import * as readState from '../../store/reading/read-state';
import { positionsRead } from '../../store/reading/search';
import * as unread from '../../store/reading/unread';
import { policiesRead } from '../../store/streams/user-topics';

/** Number of ids per pass. */
const WINDOW = 200_000;
const NEW = 5000;

export async function unreadMessages(read: RunRead, user: Reader): Promise<UnreadMessages> {
  const { whole, positions, exception, policies } = await read(
    together({
      whole: readState.stateRead(user.id),
      positions: positionsRead(user.realmId),
      exception: unread.lowestExceptionRead(user.id),
      policies: policiesRead(user.id),
    }),
  );
  // Unread messages in streams that the user left do not count.
  const places = [...whole.places].filter(([, { isSubscribed }]) => isSubscribed);
  const state: ReadState = { ...whole, places: new Map(places) };
  const found: MessageRef[] = [];
  const mentioned = new Set<number>();
  const seeks = seeksOf(state);
  const lowest = Math.min(exception, ...seeks.map(({ from }) => from || ENDLESS));
  for (let to = positions.head; to > 0 && to >= lowest && found.length < MAX_UNREAD; to -= WINDOW) {
    const range = { from: Math.max(1, to - WINDOW + 1), to };
    const within = seeks.map((seek) => ({ ...seek, from: Math.max(seek.from, range.from), to: Math.min(seek.to, to) }));
    const { refs, between } = await read(
      together({
        refs: refsRead(state, { user, seeks: within, lowest, to }),
        between: unread.marksBetweenRead(user.id, range),
      }),
    );
    for (const ref of refs) if (isUnread(state, ref, between.marks)) found.push(ref);
    for (const id of between.mentioned) mentioned.add(id);
  }
  const newest = found.slice(0, MAX_UNREAD).reverse();
  const names = await read(unread.namesRead(newest));
  return unreadMessagesOf(newest, { state, ...names, mentioned, policies });
}

type Reader = Pick<User, 'id' | 'realmId'>;

interface MessageRange {
  readonly user: Reader;
  readonly seeks: readonly Seek[];
  /** No message below this id is unread. */
  readonly lowest: number;
  readonly to: number;
}

/** Unread messages are mostly new. Reading everything new is then cheaper than looking into each conversation. */
function refsRead(state: ReadState, { user, seeks, lowest, to }: MessageRange): Read<readonly MessageRef[]> {
  const by = { realmId: user.realmId, userId: user.id };
  if (to - lowest >= NEW) {
    const inPlaces = seeks.filter((seek) => seek.by === 'recipient');
    const others = seeks.filter((seek) => seek.by !== 'recipient');
    const read = together({
      inPlaces: rangesRead(by, inPlaces),
      others: wholeRead(others, { ...by, direction: 'down', start: to }),
    });
    return mapRead(read, (found) => newestFirst([...found.inPlaces, ...found.others.refs]));
  }
  const window = { recipientIds: [0, ...state.places.keys()], from: lowest, to };
  return mapRead(windowRead(by, window), ({ refs }) => refs.toReversed());
}

function newestFirst(refs: readonly MessageRef[]): MessageRef[] {
  const once = new Map(refs.map((ref) => [ref.id, ref]));
  return [...once.values()].sort((a, b) => b.id - a.id);
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

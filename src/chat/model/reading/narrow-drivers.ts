/** Chooses the index ranges to scan for a narrow. Several drivers may cover its messages; the sparsest is scanned. */
import { TRAIT_WORDS, type Condition, type Narrow } from './narrow-condition';
import { FLAGS, type FlagName } from '../messages/message';
import { cursorIn, ENDLESS, type Interval, type ReadState } from './read-state';

/** A range of index entries in the order of the ids. */
export type Seek = Interval &
  (
    | { readonly by: 'recipient'; readonly key: number }
    | { readonly by: 'topic' | 'sender' | 'flag'; readonly key: number }
    | { readonly by: 'word'; readonly key: string }
    | { readonly by: 'unread-exceptions' | 'reactions' | 'everything' }
  );

/** Ranges that together contain every message of the narrow, and perhaps others. */
export interface Driver {
  readonly seeks: readonly Seek[];
  /** Whether scanning all ids may be cheaper: while matches are dense, only at first, or never. */
  readonly windows: 'while-dense' | 'at-first' | 'never';
  /** The conversations that count when all ids are scanned. */
  readonly recipientIds: readonly number[];
}

const WHOLE: Interval = { from: 0, to: ENDLESS };

/** The search table is filled up to `indexedId`. Above it, every message is checked. */
export interface DriverContext {
  readonly state: ReadState;
  readonly indexedId: number;
}

export function driversOf(narrow: Narrow, context: DriverContext): Driver[] {
  const conditions = narrow.tests.filter(({ negated }) => !negated).map(({ condition }) => condition);
  const id = conditions.find((condition) => condition.kind === 'id');
  if (id?.kind === 'id') return [narrowly([{ by: 'everything', from: id.id, to: id.id }])];
  const hasTopic = conditions.some(({ kind }) => kind === 'topics');
  const drivers = conditions
    // A topic is part of its stream.
    .filter(({ kind }) => !(hasTopic && kind === 'recipients'))
    .flatMap((condition) => driverOf(condition, narrow, context) ?? []);
  const received = receivedDriver(narrow, context.state);
  // A reader with few conversations can be scanned through those, whatever else the narrow offers.
  return drivers.length === 0 || received.windows === 'never' ? [...drivers, received] : drivers;
}

/** Of more topics, such as those that somebody follows, all messages are scanned. */
const MAX_TOPICS = 500;

const narrowly = (seeks: readonly Seek[]): Driver => ({ seeks, windows: 'never', recipientIds: [] });

/** Beyond this many ranges, scanning all ids is considered. */
const MANY = 8;

const broadly = (seeks: readonly Seek[], recipientIds: Iterable<number>, windows: Driver['windows']): Driver =>
  seeks.length > MANY ? { seeks, windows, recipientIds: [...recipientIds] } : narrowly(seeks);

function driverOf(condition: Condition, narrow: Narrow, { state, indexedId }: DriverContext): Driver | undefined {
  if (isWide(condition)) return undefined;
  switch (condition.kind) {
    case 'recipients':
      return broadly(
        [...condition.ids].flatMap((id) => seeksOf(id, narrow, state)),
        condition.ids,
        'while-dense',
      );
    case 'topics':
      return topicsDriver(condition.ids);
    case 'sender':
      return narrowly([{ by: 'sender', key: condition.id, ...WHOLE }]);
    case 'private':
      return narrowly(
        [...state.places.values()]
          .filter(({ stream }) => stream === null)
          .flatMap(({ recipientId }) => seeksOf(recipientId, narrow, state)),
      );
    case 'unread':
      // Unread messages are mostly the newest. But if those are read, the scan must not go through all read messages.
      return broadly(unreadSeeks(state), state.places.keys(), 'at-first');
    case 'flags':
      return narrowly(condition.flags.flatMap((flag) => flagSeeks(flag, indexedId)));
    case 'trait':
      return narrowly(wordSeeks(condition.word, indexedId));
    case 'word':
      return narrowly([{ by: 'word', key: condition.word, ...WHOLE }]);
    case 'fact':
      // Resolved topics are found among all messages.
      return condition.fact === 'reaction' ? narrowly([{ by: 'reactions', ...WHOLE }]) : undefined;
  }
}

function topicsDriver(ids: ReadonlySet<number>): Driver | undefined {
  if (ids.size > MAX_TOPICS) return undefined;
  return narrowly([...ids].map((key) => ({ by: 'topic', key, ...WHOLE })));
}

/** Such a condition names no range of messages. */
const isWide = (condition: Condition): condition is Extract<Condition, { kind: 'id' | 'muted' }> =>
  condition.kind === 'id' || condition.kind === 'muted';

function receivedDriver(narrow: Narrow, state: ReadState): Driver {
  const recipients = new Set([...state.places.keys(), ...narrow.history]);
  return broadly(
    [...recipients].flatMap((id) => seeksOf(id, narrow, state)),
    recipients,
    'while-dense',
  );
}

function seeksOf(recipientId: number, narrow: Narrow, state: ReadState): Seek[] {
  const intervals = narrow.history.has(recipientId) ? [WHOLE] : (state.places.get(recipientId)?.received ?? []);
  return intervals.map((interval) => ({ by: 'recipient', key: recipientId, ...interval }));
}

/** The ranges above the cursors, and the exceptions below them. */
function unreadSeeks(state: ReadState): Seek[] {
  const above = [...state.places.values()].flatMap(({ recipientId, received }) => {
    const cursor = cursorIn(state, recipientId);
    return received
      .filter(({ to }) => to > cursor)
      .map(({ from, to }): Seek => ({ by: 'recipient', key: recipientId, from: Math.max(from, cursor + 1), to }));
  });
  return [...above, { by: 'unread-exceptions', ...WHOLE }];
}

function flagSeeks(flag: FlagName, indexedId: number): Seek[] {
  const rows: Seek = { by: 'flag', key: FLAGS[flag], ...WHOLE };
  return flag === 'wildcard_mentioned' ? [...wordSeeks(TRAIT_WORDS.wildcard, indexedId), rows] : [rows];
}

const wordSeeks = (key: string, indexedId: number): Seek[] => [
  { by: 'word', key, from: 0, to: indexedId },
  { by: 'everything', from: indexedId + 1, to: ENDLESS },
];

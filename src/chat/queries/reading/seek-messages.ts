/** Finds the messages of a narrow around an anchor. */
import { Fault } from '../../../kernel/fault';
import type { Database } from '../../../kernel/mysql/pool';
import { cut, type Found, MAX_MESSAGES, NEWEST_ANCHOR, rangesOf } from '../../model/reading/anchor';
import type { Term } from '../../model/reading/narrow';
import type { Condition } from '../../model/reading/narrow-condition';
import { driversOf } from '../../model/reading/narrow-drivers';
import type { MessageRef } from '../../model/reading/read-state';
import type { User } from '../../model/users/user';
import { idSince } from '../../store/reading/message-dates';
import { openNarrow, type OpenScope } from './match-narrow';
import { mutedPlaces } from './resolve-narrow';
import { scanMessages, scanRanges } from './scan-messages';

export interface Seeking {
  /** Undefined starts at the first unread message, a date at the first message since then. */
  readonly anchor: number | Date | undefined;
  readonly before: number;
  readonly after: number;
  readonly isBesideAnchor?: boolean;
  readonly narrow: readonly Term[];
}

export interface Sought {
  readonly scope: OpenScope;
  readonly anchor: number;
  readonly found: Found<MessageRef>;
}

export async function seekMessages(db: Database, by: User, seeking: Seeking): Promise<Sought> {
  const { before, after, isBesideAnchor } = seeking;
  if (before + after > MAX_MESSAGES) {
    throw new Fault('invalid', `Too many messages requested (maximum ${MAX_MESSAGES}).`);
  }
  const scope = await openNarrow(db, by, seeking.narrow, { policies: seeking.anchor === undefined });
  const anchor = await anchorIn(scope, seeking.anchor);
  const range = { anchor, before, after, isBesideAnchor };
  const ranges = rangesOf(range).map(({ anchor: start, ...each }) => ({ start, ...each }));
  return { scope, anchor, found: cut((await scanRanges(scope, ranges)).flat(), range) };
}

function anchorIn(scope: OpenScope, anchor: Seeking['anchor']): number | Promise<number> {
  if (anchor === undefined) return firstUnread(scope);
  return anchor instanceof Date ? firstSince(scope, anchor) : anchor;
}

async function firstSince(scope: OpenScope, date: Date): Promise<number> {
  const start = await idSince(scope.db, scope.by.realmId, Math.ceil(date.getTime() / 1000), scope.head);
  const [first] = await scanMessages(scope, { direction: 'up', start, want: 1 });
  return first?.id ?? NEWEST_ANCHOR;
}

/** Finds the first unread message of a narrow, leaving out muted streams and topics. */
async function firstUnread(scope: OpenScope): Promise<number> {
  const { by, narrow, state } = scope;
  const isNarrowedToPlaces = narrow.tests.some(({ condition, negated }) => condition.kind === 'recipients' && !negated);
  const muted: Condition = {
    kind: 'muted',
    // A reader who narrows to a muted stream wants to read it.
    mutedPlaces: isNarrowedToPlaces ? new Set() : mutedPlaces(state),
    policies: scope.policies,
  };
  const tests = [
    { condition: { kind: 'unread' } as const, negated: false },
    { condition: muted, negated: true },
    ...narrow.tests,
  ];
  const unread = { ...narrow, tests, history: new Set<number>() };
  const drivers = driversOf(unread, { state, indexedId: scope.indexedId });
  // A very old unread message must not keep a client in the past for ever.
  const start = narrow.tests.length === 0 ? Math.max(by.pointer, 0) : 0;
  const [first] = await scanMessages({ ...scope, narrow: unread, drivers }, { direction: 'up', start, want: 1 });
  return first?.id ?? NEWEST_ANCHOR;
}

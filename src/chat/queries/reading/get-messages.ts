/**
 * Reads the messages of a narrow around an anchor. Common narrows take three round trips: open the narrow, find its
 * messages, read them with everything they refer to. Finding the first unread message takes one more.
 */
import { Fault } from '../../../kernel/fault';
import { idsOf } from '../../../kernel/group';
import type { Database } from '../../../kernel/mysql/pool';
import { runRead, together } from '../../../kernel/mysql/read-packet';
import type { Message } from '../../model/messages/message';
import { wireSubmessage } from '../../model/messages/submessage';
import { cut, MAX_MESSAGES, NEWEST_ANCHOR, rangesOf } from '../../model/reading/anchor';
import { fitting, keepOnly, type Outward, outwardOf } from '../../model/reading/message-budget';
import type { Term } from '../../model/reading/narrow';
import type { Condition } from '../../model/reading/narrow-condition';
import { driversOf } from '../../model/reading/narrow-drivers';
import type { MessageRef } from '../../model/reading/read-state';
import type { User } from '../../model/users/user';
import * as messages from '../../store/messages/messages';
import * as submessages from '../../store/messages/submessages';
import { idSince } from '../../store/reading/message-dates';
import { matchOf, openNarrow, type OpenScope } from './match-narrow';
import { type Presentation, presentRead } from './present-messages';
import { mutedPlaces } from './resolve-narrow';
import { scanMessages, scanRanges } from './scan-messages';

interface Reading extends Presentation {
  /** Undefined starts at the first unread message, a date at the first message since then. */
  readonly anchor: number | Date | undefined;
  readonly before: number;
  readonly after: number;
  readonly isBesideAnchor?: boolean;
  readonly narrow: readonly Term[];
  /** Size limit of the messages' JSON. At least one message beyond the anchor is always sent. */
  readonly limitBytes: number;
}

export async function getMessages(db: Database, by: User, reading: Reading): Promise<Record<string, unknown>> {
  const { before, after, limitBytes } = reading;
  if (before + after > MAX_MESSAGES) {
    throw new Fault('invalid', `Too many messages requested (maximum ${MAX_MESSAGES}).`);
  }
  const scope = await openNarrow(db, by, reading.narrow, { policies: reading.anchor === undefined });
  const anchor = await anchorIn(scope, reading.anchor);
  const range = { anchor, before, after, isBesideAnchor: reading.isBesideAnchor };
  const ranges = rangesOf(range).map(({ anchor: start, ...each }) => ({ start, ...each }));
  const requested = cut((await scanRanges(scope, ranges)).flat(), range);
  const outward = outwardOf(idsOf(requested.messages), anchor);
  const { ids, rows, present, added } = await readWhole(db, {
    by,
    requested: requested.messages,
    outward,
    anchor,
    reading,
  });
  const { words } = scope.narrow;
  const partsOf = (id: number) => (added.get(id) ?? []).map((part) => wireSubmessage(id, part));
  const shown = (row: Message) => ({
    ...present(row),
    submessages: partsOf(row.id),
    ...(words.size === 0 ? {} : matchOf(row, words)),
  });
  const whole = new Map(rows.map((row) => [row.id as number, shown(row)]));
  const sizes = new Map(ids.map((id) => [id, Buffer.byteLength(JSON.stringify(whole.get(id) ?? ''))]));
  const { messages: sent, ...ends } = keepOnly(requested, fitting({ ...outward, ids }, sizes, limitBytes));
  return { anchor, ...ends, history_limited: false, messages: sent.flatMap(({ id }) => whole.get(id) ?? []) };
}

/** Up to this many messages are read without checking their sizes. */
const FEW = 10;

interface Wanted {
  readonly by: User;
  readonly requested: readonly MessageRef[];
  readonly outward: Outward;
  readonly anchor: number;
  readonly reading: Reading;
}

/** Reads only messages whose content fits into the response, so that nothing is read in vain. */
async function readWhole(db: Database, { by, requested, outward, anchor, reading }: Wanted) {
  if (requested.length === 0) return { ids: [], rows: [], present: () => ({}), added: new Map<number, never[]>() };
  const isFew = requested.length <= FEW;
  const bytes = isFew ? Number.MAX_SAFE_INTEGER : reading.limitBytes;
  const budget = { anchor, bytes, wantsHtml: reading.wantsHtml };
  const { sized, present, added } = await runRead(
    db,
    together({
      sized: messages.sizedRead(by.realmId, outward.ids, budget),
      present: presentRead(by, requested, reading),
      added: submessages.fittingRead(by.realmId, outward.ids, budget),
    }),
  );
  // A message deleted meanwhile takes no space.
  const sizes = new Map(outward.ids.map((id) => [id, sized.sizes.get(id) ?? 0]));
  const ids = isFew ? outward.ids : fitting(outward, sizes, reading.limitBytes);
  const fit = new Set(ids);
  return { ids, rows: sized.messages.filter(({ id }) => fit.has(id)), present, added };
}

function anchorIn(scope: OpenScope, anchor: Reading['anchor']): number | Promise<number> {
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

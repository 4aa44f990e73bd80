/** Who could read which of some messages in one stream, and can read them in another. */
import type { Knex } from 'knex';
import { groupBy } from '../../../kernel/group';
import { mayReadHistory, type Interval } from '../../model/reading/read-state';
import type { Stream, StreamId } from '../../model/streams/stream';
import type { Role, UserId } from '../../model/users/user';

/** Users to whom the same holds, and the ranges of ids that they could and can read. */
export interface Viewers {
  readonly userIds: readonly UserId[];
  readonly before: readonly Interval[];
  readonly after: readonly Interval[];
}

interface Row {
  recipient_id: StreamId;
  user_id: UserId;
  role: Role;
  is_active: number;
  from_id: number;
}

interface Left {
  recipient_id: StreamId;
  user_id: UserId;
  from_id: number;
  to_id: number;
}

/** Everyone who is or was subscribed to one of the streams. Hold the streams first. */
export async function viewersOf(db: Knex, from: Stream, to: Stream, within: Interval): Promise<Viewers[]> {
  const ids = [from.id, to.id];
  const rows = (await db('chat_subscriptions as s')
    .join('chat_users as u', 'u.id', 's.user_id')
    .whereIn('s.recipient_id', ids)
    .select('s.recipient_id', 's.user_id', 'u.role', 's.is_active', 's.from_id')) as Row[];
  const left = (await db('chat_subscriptions as s')
    .join('chat_receptions as r', (on) => on.on('r.user_id', 's.user_id').andOn('r.recipient_id', 's.recipient_id'))
    .whereIn('s.recipient_id', ids)
    .where('r.from_id', '<=', within.to)
    .where('r.to_id', '>=', within.from)
    .select('r.recipient_id', 'r.user_id', 'r.from_id', 'r.to_id')) as Left[];
  const byUser = groupBy(rows, (row) => row.user_id);
  const leftBy = groupBy(left, (row) => row.user_id);
  const seen = [...byUser].map(([userId, own]) => {
    const rangesIn = (stream: Stream) => readableIn(stream, own, leftBy.get(userId) ?? [], within);
    return { userId, before: rangesIn(from), after: rangesIn(to) };
  });
  return [...groupBy(seen, ({ before, after }) => JSON.stringify([before, after])).values()].map((group) => ({
    userIds: group.map(({ userId }) => userId),
    before: group[0]!.before,
    after: group[0]!.after,
  }));
}

// oxlint-disable-next-line max-params -- the stream, the user's rows of both kinds, and the range that counts
function readableIn(stream: Stream, own: readonly Row[], left: readonly Left[], within: Interval): Interval[] {
  const subscription = own.find((row) => row.recipient_id === stream.id);
  const isSubscribed = subscription?.is_active === 1;
  if (mayReadHistory(own[0]!.role === 'guest', stream, isSubscribed)) return [within];
  const received = left
    .filter((row) => row.recipient_id === stream.id)
    .map((row): Interval => ({ from: row.from_id, to: row.to_id }));
  if (isSubscribed) received.push({ from: subscription.from_id, to: within.to });
  return received
    .map(({ from, to }) => ({ from: Math.max(from, within.from), to: Math.min(to, within.to) }))
    .filter(({ from, to }) => from <= to);
}

/**
 * What a former subscriber received ends before and begins after each message that moves in: otherwise they would read
 * what was never sent there while they were subscribed. For streams that they cannot read anyway.
 */
export async function keepFormerOut(db: Knex, to: Stream, ids: readonly number[]): Promise<void> {
  const [first, last] = [ids[0]!, ids.at(-1)!];
  const rows = (await db('chat_subscriptions as s')
    .join('chat_users as u', 'u.id', 's.user_id')
    .join('chat_receptions as r', (on) => on.on('r.user_id', 's.user_id').andOn('r.recipient_id', 's.recipient_id'))
    .where({ 's.recipient_id': to.id, 's.is_active': false })
    .where('r.from_id', '<=', last)
    .where('r.to_id', '>=', first)
    .select('r.recipient_id', 'r.user_id', 'r.from_id', 'r.to_id', 'u.role')) as (Left & { role: Role })[];
  const blind = rows.filter(({ role }) => !mayReadHistory(role === 'guest', to, false));
  for (const { role: _, ...row } of blind) {
    const pieces = without({ from: row.from_id, to: row.to_id }, ids);
    await db('chat_receptions').where({ user_id: row.user_id, recipient_id: to.id, from_id: row.from_id }).delete();
    const kept = pieces.map((piece) => ({ ...row, from_id: piece.from, to_id: piece.to }));
    if (kept.length > 0) await db('chat_receptions').insert(kept);
  }
}

/** The ids are ascending. */
export function without(range: Interval, ids: readonly number[]): Interval[] {
  const pieces: Interval[] = [];
  let from = range.from;
  for (const id of ids.filter((each) => range.from <= each && each <= range.to)) {
    if (from < id) pieces.push({ from, to: id - 1 });
    from = id + 1;
  }
  return from <= range.to ? [...pieces, { from, to: range.to }] : pieces;
}

/** Finds messages by the time at which they were sent. No index has it: ids are given in the order of the sending. */
import type { Database } from '../../../kernel/mysql/pool';
import type { RealmId } from '../../model/organisation/realm';

/** A billion messages take six round trips, of as many looks at the primary key. */
const PROBES = 32;

const PROBE = '(SELECT sent_at, id FROM chat_messages WHERE realm_id = ? AND id >= ? ORDER BY id LIMIT 1)';

interface Probe {
  readonly id: number;
  readonly sent_at: number;
}

/** An id at or below that of the first message since then, and above those before it; beyond `head` if there is none. */
export async function idSince(db: Database, realmId: RealmId, since: number, head: number): Promise<number> {
  let [low, high] = [1, head + 1];
  while (low < high) {
    const step = Math.max(1, Math.ceil((high - low) / PROBES));
    const starts: number[] = [];
    for (let start = low; start < high; start += step) starts.push(start);
    const bindings = starts.flatMap((start) => [realmId, start]);
    const [rows] = (await db.raw(starts.map(() => PROBE).join(' UNION ALL '), bindings)) as [Probe[]];
    const earlier = rows.filter(({ sent_at }) => sent_at < since).map(({ id }) => id);
    low = Math.max(low, ...earlier.map((id) => id + 1));
    high = Math.min(high, starts.find((start) => start >= low) ?? high);
    // The place that is left was looked at: it is the one.
    if (starts.includes(low)) high = low;
  }
  return low;
}

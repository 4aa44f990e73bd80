/** Rows of tel_letters: letters of the portal until the mail server has taken them. */
import type { Knex } from 'knex';
import type { PortalLetter } from '../model/portal-letters';

const MICROSECONDS = 1000;
const MOST_DUE = 1000;

export async function insert(db: Knex, id: string, letter: PortalLetter): Promise<void> {
  const now = db.raw('NOW(3)');
  await db('tel_letters').insert({ id, letter: JSON.stringify(letter), asked_at: now, due_at: now });
}

export interface TakenLetter {
  readonly letter: PortalLetter;
  readonly isStale: boolean;
}

/** Undefined if it is sent, or if another worker has it: it is due again after a pause that doubles with each attempt. */
export async function take(
  db: Knex,
  id: string,
  { pauseMs, staleMs }: { readonly pauseMs: number; readonly staleMs: number },
): Promise<TakenLetter | undefined> {
  const taken = await db('tel_letters')
    .where({ id })
    .where('due_at', '<=', db.raw('NOW(3)'))
    .update({
      due_at: db.raw('NOW(3) + INTERVAL ? * POW(2, LEAST(attempts, 5)) MICROSECOND', [pauseMs * MICROSECONDS]),
      attempts: db.raw('attempts + 1'),
    });
  if (taken === 0) return undefined;
  const row = (await db('tel_letters')
    .where({ id })
    .first('letter', {
      isStale: db.raw('asked_at < NOW(3) - INTERVAL ? MICROSECOND', [staleMs * MICROSECONDS]),
    })) as { letter: string; isStale: number } | undefined;
  return row && { letter: JSON.parse(row.letter) as PortalLetter, isStale: row.isStale === 1 };
}

export async function remove(db: Knex, id: string): Promise<void> {
  await db('tel_letters').where({ id }).delete();
}

/** Those that are due for so long that nobody seems to look after them. */
export async function overdue(db: Knex, forMs: number): Promise<string[]> {
  return (await db('tel_letters')
    .where('due_at', '<', db.raw('NOW(3) - INTERVAL ? MICROSECOND', [forMs * MICROSECONDS]))
    .limit(MOST_DUE)
    .pluck('id')) as string[];
}

/** Rows of chat_deliveries for those who look after them: found by bot, integration, id or reason, and set right. */
import type { Knex } from 'knex';
import { askedId } from '../../../kernel/id';
import type { RealmId } from '../../model/organisation/realm';
import type { UserId } from '../../model/users/user';
import { withEmail } from '../users/user-emails';

export interface FoundDelivery {
  readonly id: number;
  readonly realmId: RealmId;
  readonly botId: UserId;
  readonly bot: string;
  readonly integration: string;
  readonly sameness: string;
  readonly state: 'pending' | 'done' | 'failed' | 'dropped';
  readonly error: string | null;
  readonly attempts: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

export interface WholeDelivery extends FoundDelivery {
  readonly stream: string | null;
  readonly topic: string | null;
  readonly event: string;
  readonly payload: string;
  readonly messageId: number | null;
  readonly toldAt: Date | null;
}

export interface Wanted {
  readonly state: FoundDelivery['state'] | undefined;
  readonly bots: readonly UserId[] | undefined;
  readonly integration: string | undefined;
  readonly ids: readonly number[] | undefined;
  /** Beginnings of what tells a repeat. */
  readonly samenesses: readonly string[] | undefined;
  readonly error: string | undefined;
  readonly before: number | undefined;
  readonly limit: number;
}

const COLUMNS = {
  id: 'd.id',
  realmId: 'd.realm_id',
  botId: 'd.bot_id',
  bot: 'chat_users.email',
  integration: 'd.integration',
  sameness: 'd.sameness',
  state: 'd.state',
  error: 'd.error',
  attempts: 'd.attempts',
  createdAt: 'd.created_at',
  finishedAt: 'd.finished_at',
};
const MORE = {
  stream: 'd.stream',
  topic: 'd.topic',
  event: 'd.event',
  payload: 'd.payload',
  messageId: 'd.message_id',
  toldAt: 'd.told_at',
};

/** No index finds a part of a reason: so many of the newest are looked through. */
const MOST_LOOKED_THROUGH = 50_000;
const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

export async function search(db: Knex, wanted: Wanted): Promise<FoundDelivery[]> {
  const { state, bots, integration, error, before } = wanted;
  const rows = db('chat_deliveries').orderBy('id', 'desc').select('*');
  if (state !== undefined) rows.where({ state });
  if (bots !== undefined) rows.whereIn('bot_id', bots);
  if (integration !== undefined) rows.where({ integration: askedId(integration) });
  if (before !== undefined) rows.where('id', '<', before);
  if (wanted.ids !== undefined || wanted.samenesses !== undefined) {
    rows.where((either) => {
      void either.whereIn('id', wanted.ids ?? []);
      for (const start of wanted.samenesses ?? []) void either.orWhere('sameness', 'like', `${escapeLike(start)}%`);
    });
  }
  rows.limit(error === undefined ? wanted.limit : MOST_LOOKED_THROUGH);
  const found = db.from(rows.as('d')).join('chat_users', 'chat_users.id', 'd.bot_id');
  if (error !== undefined) found.where('d.error', 'like', `%${escapeLike(error)}%`);
  return (await found.orderBy('d.id', 'desc').limit(wanted.limit).select(COLUMNS)) as FoundDelivery[];
}

export async function whole(db: Knex, id: number): Promise<WholeDelivery | undefined> {
  return (await db('chat_deliveries as d')
    .join('chat_users', 'chat_users.id', 'd.bot_id')
    .where('d.id', id)
    .first({ ...COLUMNS, ...MORE })) as WholeDelivery | undefined;
}

/** Bots of any organisation by address. */
export async function botsNamed(db: Knex, email: string): Promise<UserId[]> {
  return (await db('chat_users')
    .where(withEmail([email]))
    .whereNotNull('bot_type')
    .pluck('id')) as UserId[];
}

export async function count(db: Knex): Promise<{ waiting: number; oldestMs: number | null; dead: number }> {
  const [[pending], [failed]] = (await Promise.all([
    db('chat_deliveries')
      .where({ state: 'pending' })
      .select(db.raw('COUNT(*) AS rows_waiting, TIMESTAMPDIFF(MICROSECOND, MIN(created_at), NOW(3)) AS age')),
    db('chat_deliveries').where({ state: 'failed' }).count({ dead: '*' }),
  ])) as unknown as [[{ rows_waiting: number; age: number | null }], [{ dead: number }]];
  const oldestMs = pending.age === null ? null : Math.round(pending.age / 1000);
  return { waiting: pending.rows_waiting, oldestMs, dead: failed.dead };
}

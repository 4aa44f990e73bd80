/**
 * Rows of notifications that devices show, or will once they are reached: one of each conversation. Each product has a
 * table of its own: subscription_id, tag, the owner's column, message_ids.
 */
import type { Knex } from 'knex';
import { groupBy } from '../group';

export interface Shown {
  readonly deviceId: number;
  readonly tag: string;
  /** The unread messages that it is about. */
  readonly messageIds: readonly number[];
}

/** As many as the column holds. */
export const MAX_SHOWN_IDS = 50;

export type PushShown = ReturnType<typeof pushShownIn>;

/** Of a table, whose owners are named by this column. */
export function pushShownIn(table: string, column: string) {
  return {
    async find(db: Knex, which: Readonly<Record<string, string | number>>): Promise<Shown[]> {
      const rows = (await db(table)
        .where(which)
        .select('tag', { deviceId: 'subscription_id', ids: 'message_ids' })) as (Omit<Shown, 'messageIds'> & {
        ids: string;
      })[];
      return rows.map(({ ids, ...row }) => ({ ...row, messageIds: JSON.parse(ids) as number[] }));
    },

    async write(db: Knex, owner: string | number, { deviceId, tag, messageIds }: Shown): Promise<void> {
      const columns = { [column]: owner, message_ids: JSON.stringify(messageIds.slice(-MAX_SHOWN_IDS)) };
      await db(table)
        .insert({ subscription_id: deviceId, tag, ...columns })
        .onConflict()
        .merge(columns);
    },

    async remove(db: Knex, gone: readonly Shown[]): Promise<void> {
      for (const { deviceId, tag } of gone) await db(table).where({ subscription_id: deviceId, tag }).delete();
    },

    /** Forgets those of which nothing is left unread, and returns their tags by device. */
    async removeRead(db: Knex, before: readonly Shown[], left: readonly Shown[]): Promise<Map<number, string[]>> {
      const isLeft = new Set(left.map(keyOf));
      const over = before.filter((each) => !isLeft.has(keyOf(each)));
      await this.remove(db, over);
      const byDevice = groupBy(over, ({ deviceId }) => deviceId);
      return new Map([...byDevice].map(([deviceId, gone]) => [deviceId, gone.map(({ tag }) => tag)]));
    },
  };
}

const keyOf = ({ deviceId, tag }: Shown): string => `${deviceId}/${tag}`;

/** With those messages only that are still unread; without those of which none is. */
export const withUnread = (shown: readonly Shown[], isUnread: (id: number, tag: string) => boolean): Shown[] =>
  shown
    .map((each) => ({ ...each, messageIds: each.messageIds.filter((id) => isUnread(id, each.tag)) }))
    .filter(({ messageIds }) => messageIds.length > 0);

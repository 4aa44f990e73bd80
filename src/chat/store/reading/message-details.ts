/** What a narrow needs of each message besides its columns: the reader's marks, the searched words in it, and facts. */
import type { Knex } from 'knex';
import type { Statement } from '../../../kernel/mysql/commit-statements';
import { readOf, runRead } from '../../../kernel/mysql/read-packet';
import type { RealmId } from '../../model/organisation/realm';
import { RESOLVED, type Fact, type Knowledge } from '../../model/reading/narrow-condition';
import type { UserId } from '../../model/users/user';

export interface Details {
  readonly realmId: RealmId;
  readonly userId: UserId;
  readonly marks: boolean;
  readonly words: readonly string[];
  readonly facts: readonly Fact[];
}

export interface DetailRow {
  id: number;
  topic_id: number | null;
  is_read?: number | null;
  flags?: string | null;
  topic_read_id?: number | null;
  words?: string | null;
  has_reaction?: number;
  is_resolved?: number;
}

const FACTS: Readonly<Record<Fact, (realmId: RealmId) => Statement>> = {
  reaction: (realmId) => ({
    sql: ', EXISTS (SELECT 1 FROM chat_reactions c WHERE c.realm_id = ? AND c.message_id = m.id) AS has_reaction',
    bindings: [realmId],
  }),
  resolved: () => ({
    sql: ', EXISTS (SELECT 1 FROM chat_topics t WHERE t.id = m.topic_id AND LEFT(t.name, 2) = ?) AS is_resolved',
    bindings: [RESOLVED],
  }),
};

/** Columns for a message `m`, each found by a primary key or an index. Words never contain a space. */
export function detailColumns({ realmId, userId, marks, words, facts }: Details): Statement {
  const columns = [...new Set(facts)].map((fact) => FACTS[fact](realmId));
  if (marks) {
    columns.push({
      sql:
        ', (SELECT x.is_read FROM chat_read_exceptions x WHERE x.user_id = ? AND x.message_id = m.id) AS is_read' +
        ', (SELECT GROUP_CONCAT(f.flag) FROM chat_flags f WHERE f.user_id = ? AND f.message_id = m.id) AS flags' +
        ', (SELECT r.read_id FROM chat_topic_reads r WHERE r.user_id = ? AND r.topic_id = m.topic_id) AS topic_read_id',
      bindings: [userId, userId, userId],
    });
  }
  if (words.length > 0) {
    columns.push({
      sql:
        ", (SELECT GROUP_CONCAT(w.word SEPARATOR ' ') FROM chat_search w " +
        'WHERE w.realm_id = ? AND w.message_id = m.id AND w.word IN (?)) AS words',
      bindings: [realmId, words],
    });
  }
  return { sql: columns.map(({ sql }) => sql).join(''), bindings: columns.flatMap(({ bindings }) => bindings) };
}

export type Detailed = Pick<Knowledge, 'marks' | 'words' | 'facts'>;

/** A column is undefined if it was not requested, and null if it is empty. */
const isThere = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined;

export function detailsOf(rows: readonly DetailRow[]): Detailed {
  const isRead = new Map<number, boolean>();
  const flags = new Map<number, ReadonlySet<number>>();
  const topicReadIds = new Map<number, number>();
  const words = new Map<number, ReadonlySet<string>>();
  const facts = new Map<number, ReadonlySet<Fact>>();
  for (const row of rows) {
    if (isThere(row.is_read)) isRead.set(row.id, row.is_read === 1);
    if (isThere(row.flags)) flags.set(row.id, new Set(row.flags.split(',').map(Number)));
    if (isThere(row.topic_read_id)) topicReadIds.set(row.topic_id!, row.topic_read_id);
    facts.set(row.id, factsOf(row));
    if (isThere(row.words)) words.set(row.id, new Set(row.words.split(' ')));
  }
  return { marks: { isRead, flags, topicReadIds }, words, facts };
}

const NO_FACTS: ReadonlySet<Fact> = new Set();

function factsOf({ has_reaction: hasReaction, is_resolved: isResolved }: DetailRow): ReadonlySet<Fact> {
  if (hasReaction !== 1 && isResolved !== 1) return NO_FACTS;
  const facts: Fact[] = [
    ...(hasReaction === 1 ? ['reaction' as const] : []),
    ...(isResolved === 1 ? ['resolved' as const] : []),
  ];
  return new Set(facts);
}

/** Which of these facts are true of each of these messages. */
export async function factsAmong(
  db: Knex,
  realmId: RealmId,
  facts: readonly Fact[],
  ids: readonly number[],
): Promise<Detailed['facts']> {
  if (facts.length === 0 || ids.length === 0) return new Map();
  const columns = detailColumns({ realmId, userId: 0 as UserId, marks: false, words: [], facts });
  const read = readOf(
    `SELECT m.id, m.topic_id${columns.sql} FROM chat_messages m WHERE m.realm_id = ? AND m.id IN (?)`,
    [...columns.bindings, realmId, ids],
    (rows: readonly DetailRow[]) => detailsOf(rows).facts,
  );
  return runRead(db, read);
}

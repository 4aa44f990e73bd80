/** Several reads in one round trip. A read is its statements and a function that parses their rows. */
import { setImmediate } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Statement } from './commit-statements';
import { rawOf, type Rows } from './direct';

export interface Read<T> {
  readonly statements: readonly Statement[];
  /** Gets the rows of each statement, in order. */
  readonly parse: (rows: readonly Rows[]) => T;
}

type Reads = readonly Read<unknown>[] | Readonly<Record<string, Read<unknown>>>;
type Values<R extends Reads> = { [K in keyof R]: R[K] extends Read<infer T> ? T : never };

/** A read that needs no statement. */
export const known = <T>(value: T): Read<T> => ({ statements: [], parse: () => value });

/** A read of one statement. */
export function readOf<Row, T>(sql: string, bindings: readonly unknown[], parse: (rows: readonly Row[]) => T): Read<T> {
  return { statements: [{ sql, bindings }], parse: ([rows]) => parse(rows as readonly Row[]) };
}

/** A read of what a query finds. */
export function readOfQuery<Row, T>(query: Knex.QueryBuilder, parse: (rows: readonly Row[]) => T): Read<T> {
  const { sql, bindings } = query.toSQL();
  return readOf(sql, bindings, parse);
}

/** A read whose value is made from another's. */
export const mapRead = <A, B>({ statements, parse }: Read<A>, make: (value: A) => B): Read<B> => ({
  statements,
  parse: (rows) => make(parse(rows)),
});

/** Combines reads into one. */
export function together<const R extends Reads>(reads: R): Read<Values<R>> {
  const entries = Object.entries(reads) as [string, Read<unknown>][];
  return {
    statements: entries.flatMap(([, { statements }]) => statements),
    parse(rows) {
      let start = 0;
      const values = entries.map(([name, read]) => {
        const own = rows.slice(start, (start += read.statements.length));
        return [name, read.parse(own)] as const;
      });
      return (Array.isArray(reads) ? values.map(([, value]) => value) : Object.fromEntries(values)) as Values<R>;
    },
  };
}

const sqlOf = (statements: readonly Statement[]): string => statements.map(({ sql }) => sql).join('; ');
const bindingsOf = (statements: readonly Statement[]): unknown[] => statements.flatMap(({ bindings }) => bindings);

/** On a connection of the pool, or on one that the caller has taken from it. */
export async function runRead<T>(db: Knex, { statements, parse }: Read<T>, connection?: unknown): Promise<T> {
  if (statements.length === 0) return parse([]);
  const raw = rawOf(db, sqlOf(statements), bindingsOf(statements));
  const [answer] = (await (connection === undefined ? raw : raw.connection(connection))) as [Rows | readonly Rows[]];
  return parse(statements.length === 1 ? [answer as Rows] : (answer as readonly Rows[]));
}

/** Runs a read, on its own or together with others. */
export type RunRead = <T>(read: Read<T>) => Promise<T>;

/** Reads that are requested in the same turn of the event loop share one round trip. */
export function gatherReads(db: Knex, run: RunRead = (read) => runRead(db, read)): RunRead {
  let gathered: Read<unknown>[] = [];
  let running: Promise<readonly unknown[]> | undefined;

  async function runGathered(): Promise<readonly unknown[]> {
    // By then, everybody who got values from the previous packet has requested what depends on them.
    await setImmediate();
    const reads = gathered;
    [gathered, running] = [[], undefined];
    return run(together(reads));
  }

  return async <T>(read: Read<T>) => {
    const place = gathered.push(read) - 1;
    running ??= runGathered();
    return (await running)[place] as T;
  };
}

export const BEGIN_SNAPSHOT = 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; START TRANSACTION READ ONLY';

/** Reads everything as of one moment, despite concurrent writes, and still in one round trip. */
export async function runSnapshot<T>(db: Knex, read: Read<T>): Promise<T> {
  const { statements, parse } = read;
  if (db.isTransaction === true || statements.length === 0) return runRead(db, read);
  const raw = rawOf(db, `${BEGIN_SNAPSHOT}; ${sqlOf(statements)}; COMMIT`, bindingsOf(statements));
  const [[, , ...answers]] = (await raw.options({ rollBackOnError: true })) as [[unknown, unknown, ...Rows[]]];
  return parse(answers.slice(0, -1));
}

/** Limit: a hundred messages read by primary key, straight through mysql2. */
import { createPool } from 'mysql2/promise';
import type { Measurement } from '../../harness/benchmark';
import { closedLoop } from '../../harness/closed-loop';
import { program, type Shape } from '../../harness/program';

export interface Rows extends Shape {
  readonly options: { readonly databaseUrl: string; readonly realmId: number };
  readonly ready: null;
  readonly order: { readonly milliseconds: number };
  readonly report: Measurement;
}

const ROWS = 100;
const NEWEST = 900_000;

program<Rows>(({ databaseUrl, realmId }) => {
  const pool = createPool({ uri: databaseUrl, connectionLimit: 1 });
  const sql = `SELECT * FROM chat_messages WHERE realm_id = ? AND id IN (${'?,'.repeat(ROWS - 1)}?)`;
  const read = (turn: number) => {
    const ids = Array.from({ length: ROWS }, (_, at) => ((turn * 7919 + at * 13) % NEWEST) + 1);
    return pool.execute(sql, [realmId, ...ids]);
  };
  return Promise.resolve({
    ready: null,
    run: ({ milliseconds }) => closedLoop({ concurrency: 1, milliseconds }, read),
  });
});

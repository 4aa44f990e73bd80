/** Limit: a self-committing INSERT of a 600-byte row, straight through mysql2. */
import { createPool } from 'mysql2/promise';
import type { Measurement } from '../../harness/benchmark';
import { closedLoop, type Loop } from '../../harness/closed-loop';
import { program, type Shape } from '../../harness/program';
import { ROW } from '../payload';

export interface Insert extends Shape {
  readonly options: { readonly databaseUrl: string; readonly connections: number };
  readonly ready: null;
  readonly order: Loop;
  readonly report: Measurement;
}

program<Insert>(({ databaseUrl, connections }) => {
  const pool = createPool({ uri: databaseUrl, connectionLimit: connections });
  const insert = () => pool.execute('INSERT INTO bench_rows (body) VALUES (?)', [ROW]);
  return Promise.resolve({ ready: null, run: (loop) => closedLoop(loop, insert) });
});

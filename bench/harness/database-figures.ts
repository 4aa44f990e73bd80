/** Figures about database work. */
import type { Figure } from './benchmark';

/** The summed duration of the statements. */
export const SUM: Figure = { name: 'statements, p50', from: 'p50', unit: 'ms' };
export const atMost = (value: number): Figure => ({ ...SUM, target: { of: 'ratio', is: 'at most', value } });
/** The same in units of a bare INSERT of 600 bytes by mysql2, which is measured between runs. */
export const inInserts = (most: number): Figure => ({
  name: 'in bare INSERTs',
  from: 'yardsticks',
  unit: '×',
  target: { of: 'ours', is: 'at most', value: most },
});
/** For whole calls. */
export const callInInserts = (most: number): Figure => ({ ...inInserts(most), from: 'callYardsticks' });
export const CALL: Figure = { name: 'whole call, p50', from: 'call', unit: 'ms' };
export const COUNT: Figure = { name: 'round trips', from: 'statements', unit: '' };
/** No query plan may read without bound: this many index entries and rows suffice for any. */
const MAX_ROWS_READ = 50_000;
export const READS: Figure = {
  name: 'rows read',
  from: 'rows',
  unit: '',
  target: { of: 'ours', is: 'at most', value: MAX_ROWS_READ },
};

/** A machine description, for tests that are about other parts of a result. */
import type { Machine } from '../../../bench/harness/machine';

export const machine: Machine = {
  cpu: 'Test',
  cores: 2,
  memoryGiB: 8,
  node: 'v20',
  redis: '7',
  mariadb: '10',
  date: '2026-01-01T00:00:00.000Z',
  commit: 'abc',
  loadBefore: 0.1,
};

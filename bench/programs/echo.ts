/** The benchmarks' mailbox: its worker replies with what it was sent. */
import { kernelMailTable } from '../../src/kernel/mailbox/kernel-mail';
import { defineMailbox } from '../../src/kernel/mailbox/mailbox';

export const echo = defineMailbox<{ readonly index: number }>('bench-echo', {
  table: kernelMailTable('bench-echo'),
  concurrency: 1,
  tenantShare: 1,
  attempts: 1,
  pauseMs: () => 1000,
  attemptMs: 5000,
  isRepeatable: true,
  order: 'strict',
  maxInATurn: 100,
  keep: { done: 0 },
});

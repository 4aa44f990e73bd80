/** Pauses a queue on every worker until it is resumed. Running jobs finish. */
import { ensure } from '../../kernel/fault';
import { setPaused } from '../../kernel/jobs/queue-report';
import type { Kernel } from '../../kernel/kernel';
import type { Actor } from '../model/audit';
import { noSuchQueue } from '../model/faults';
import { recordAudit } from './record-audit';

export async function pauseQueue(kernel: Kernel, queue: string, isPaused: boolean, by: Actor): Promise<void> {
  ensure(await setPaused(kernel, queue, isPaused), noSuchQueue(queue));
  await recordAudit(kernel, { ...by, action: isPaused ? 'pause' : 'resume', target: queue, count: null });
}

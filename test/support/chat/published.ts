/** The published events of an organisation in the outbox, with their audience. */
import { readEntry } from '../../../src/chat/model/events/event';
import type { EncodedAudience } from '../../../src/chat/model/events/audience';
import type { Kernel } from '../../../src/kernel/kernel';
import { decodeEvents, EVENTS_ROW, type EventsRow } from '../../../src/kernel/event-log/codec';

export interface PublishedEvent {
  readonly to: EncodedAudience;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into events of every shape
  readonly event: any;
}

/**
 * Runs the work and returns the events that were published meanwhile, in order. Only for tests that run one thing at a
 * time.
 */
export async function publishedBy(kernel: Kernel, work: () => Promise<unknown>): Promise<PublishedEvent[]> {
  const [last] = (await kernel.mysql('kernel_outbox').max({ id: 'id' })) as [{ id: number | null }];
  await work();
  const rows = (await kernel
    .mysql('kernel_outbox')
    .where('publisher', 'log')
    .where('id', '>', last.id ?? 0)
    .orderBy('id')
    .select(...EVENTS_ROW)) as EventsRow[];
  return rows
    .flatMap((row) => decodeEvents(row)!)
    .map(({ body }) => {
      const { head, payload } = readEntry(body);
      return { to: head.to, event: JSON.parse(payload) };
    });
}

/** The published events of an organisation, in the outbox or beside its log, with their audience. */
import { entryOf, readEntry } from '../../../src/chat/model/events/event';
import type { EncodedAudience } from '../../../src/chat/model/events/audience';
import { realmTenant, type RealmId } from '../../../src/chat/model/organisation/realm';
import type { Kernel } from '../../../src/kernel/kernel';
import { decodeEvents, decodePush, EVENTS_ROW, type EventsRow } from '../../../src/kernel/event-log/codec';
import { eventChannel } from '../../../src/kernel/event-log/event-log';
import { until } from '../until';

export interface PublishedEvent {
  readonly to: EncodedAudience;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into events of every shape
  readonly event: any;
}

/**
 * Runs the work and returns the events that were published meanwhile, in order, without those that only today's clients
 * get. Only for tests that run one thing at a time.
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
  const bodies = rows.flatMap((row) => decodeEvents(row)!).map(({ body }) => body);
  return bodies.filter((body) => readEntry(body).head.isForToday !== true).map(publishedEvent);
}

/** Runs the work and returns the events that were pushed beside the organisation's log meanwhile, in order. */
export async function pushedBy(kernel: Kernel, work: () => Promise<unknown>): Promise<PublishedEvent[]> {
  const realm = (await kernel.mysql('chat_realms').orderBy('id').first('id')) as { id: RealmId };
  const tenant = realmTenant(realm.id);
  const bodies: string[] = [];
  const unlisten = await kernel.channel.listen(eventChannel(tenant), {
    receive(message) {
      const push = decodePush(message);
      if (push && 'index' in push) bodies.push(push.body);
    },
    resumed: () => {},
  });
  await work();
  const last = entryOf([], { type: 'last' });
  await kernel.ephemera.push(tenant, last);
  await until(() => bodies.includes(last));
  await unlisten();
  return bodies.slice(0, bodies.indexOf(last)).map(publishedEvent);
}

function publishedEvent(body: string): PublishedEvent {
  const { head, payload } = readEntry(body);
  return { to: head.to, event: JSON.parse(payload) };
}

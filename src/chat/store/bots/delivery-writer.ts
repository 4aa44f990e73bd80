/** Batches concurrent webhook deliveries on this node into shared inserts. */
import { openLanes, type BatchWriter } from '../../../kernel/mysql/batch-writer';
import type { Database } from '../../../kernel/mysql/pool';
import { insert, type NewDelivery } from './deliveries';

export type DeliveryWriter = BatchWriter<NewDelivery>;

export const openDeliveryWriter = (db: Database): DeliveryWriter =>
  openLanes(
    { write: (deliveries) => insert(db, deliveries), weigh: ({ payload }) => payload.length },
    // One lane per bot keeps a bot's messages in the order in which its deliveries arrived.
    ({ botId }) => botId,
  );

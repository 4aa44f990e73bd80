/** Writes the deliveries that come at the same time on this node together. */
import { openLanes, type BatchWriter } from '../../kernel/mysql/batch-writer';
import type { Database } from '../../kernel/mysql/pool';
import { insert, type NewDelivery } from '../store/bots/deliveries';

export type DeliveryWriter = BatchWriter<NewDelivery>;

export const openDeliveryWriter = (db: Database): DeliveryWriter =>
  openLanes(
    { write: (deliveries) => insert(db, deliveries), weigh: ({ payload }) => payload.length },
    // A bot's messages come in the order in which its deliveries came.
    ({ botId }) => botId,
  );

/** Changes a user's own subscription settings. */
import { Fault } from '../../../kernel/fault';
import type { Transact } from '../../../kernel/mysql/transaction';
import { isColor } from '../../model/streams/subscription';
import { subscriptionChanged } from '../../model/streams/stream-events';
import { notSubscribed, unknownProperty } from '../../model/streams/stream-faults';
import type { User } from '../../model/users/user';
import { accessStream } from '../../queries/streams/access-stream';
import * as subscriptions from '../../store/streams/subscriptions';

export interface PropertyChange {
  readonly stream_id: number;
  readonly property: string;
  readonly value: string | boolean;
}

/** The column of each property. Events report muting under its older name, with the opposite value. */
const COLUMNS: Readonly<Record<string, keyof subscriptions.SubscriptionChanges>> = {
  color: 'color',
  in_home_view: 'is_muted',
  is_muted: 'is_muted',
  pin_to_top: 'is_pinned',
  desktop_notifications: 'notify_desktop',
  audible_notifications: 'notify_audible',
  push_notifications: 'notify_push',
  email_notifications: 'notify_email',
  wildcard_mentions_notify: 'notify_wildcard',
};

/** Applies all changes or none. */
export async function setSubscriptionProperties(
  transaction: Transact,
  by: User,
  changes: readonly PropertyChange[],
): Promise<void> {
  await transaction(async (tx) => {
    for (const { stream_id: streamId, property, value } of changes) {
      const column = Object.hasOwn(COLUMNS, property) ? COLUMNS[property] : undefined;
      if (column === undefined) throw unknownProperty(property);
      const { stream, subscription } = await accessStream(tx.db, by, streamId);
      if (!subscription) throw notSubscribed(streamId);
      checkValue(property, value);
      const stored = property === 'in_home_view' ? !value : value;
      await subscriptions.update(tx.db, by.id, stream.id, { [column]: stored });
      const event = property === 'is_muted' ? { property: 'in_home_view', value: !value } : { property, value };
      tx.deliver(subscriptionChanged(by, stream, event));
    }
  });
}

function checkValue(property: string, value: string | boolean): void {
  if (property !== 'color' && typeof value !== 'boolean') throw new Fault('invalid', `${property} is not a boolean`);
  if (property === 'color' && typeof value !== 'string') throw new Fault('invalid', `${property} is not a string`);
  if (property === 'color' && !isColor(String(value)))
    throw new Fault('invalid', `${property} is not a valid hex color code`);
}

/** Sets a user's status: away or not, and a text. */
import { ensure } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
import { eventDelivery } from '../../model/events/event';
import { badRequest } from '../../model/faults';
import { checkLength } from '../../model/text-length';
import type { User } from '../../model/users/user';
import * as statuses from '../../store/users/user-statuses';

const MAX_TEXT_LENGTH = 60;

export async function setStatus(
  kernel: Kernel,
  by: User,
  written: { away?: boolean | undefined; text?: string | undefined },
): Promise<void> {
  const text = written.text?.trim();
  checkLength('status_text', text ?? '', MAX_TEXT_LENGTH);
  ensure(written.away !== undefined || text !== undefined, badRequest('Client did not pass any new values.'));
  const away = written.away === undefined ? {} : { away: written.away };
  const words = text === undefined ? {} : { status_text: text };
  await kernel.transaction(async (tx) => {
    await statuses.set(tx.db, by.id, {
      ...(written.away === undefined ? {} : { isAway: written.away }),
      ...(text === undefined ? {} : { text }),
    });
    tx.deliver(eventDelivery(by.realmId, 'everyone', { type: 'user_status', user_id: by.id, ...away, ...words }));
  });
}

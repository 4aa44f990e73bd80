/** Records what users report of themselves: their clients' presence, and their status. */
import { ensure } from '../../../kernel/fault';
import type { Transact } from '../../../kernel/mysql/transaction';
import type { Keyspace } from '../../../kernel/redis/connections';
import { presence } from '../../actors/presence/presence';
import { entryOf, eventDelivery } from '../../model/events/event';
import { badRequest } from '../../model/faults';
import { realmTenant } from '../../model/organisation/realm';
import { checkLength } from '../../model/text-length';
import { isPresenceStatus, presenceClient, wireReport } from '../../model/users/presence';
import type { User } from '../../model/users/user';
import { invalidStatus } from '../../model/users/user-faults';
import { ensureHuman } from '../../model/users/user-policy';
import type { Chat } from '../../parts';
import * as statuses from '../../store/users/user-statuses';

/** Publishes the report if it is news. */
export async function setPresence(
  chat: Keyspace & Pick<Chat, 'clock' | 'ephemera' | 'presencePeople'>,
  by: User,
  report: { status: string; client: string },
): Promise<void> {
  ensureHuman(by);
  const { status } = report;
  if (!isPresenceStatus(status)) throw invalidStatus(status);
  const client = presenceClient(report.client);
  const reported = await presence
    .at(realmTenant(by.realmId))
    .request(chat, 'report', { userId: by.id, client, status });
  if (!reported.isNews) return;
  if ((await chat.presencePeople.find(by.realmId)).isOff) return;
  const event = {
    type: 'presence',
    email: by.email,
    server_timestamp: chat.clock.now().getTime() / 1000,
    presence: { [client]: wireReport(client, reported) },
  };
  await chat.ephemera.push(realmTenant(by.realmId), entryOf('everyone', event));
}

const MAX_TEXT_LENGTH = 60;

/** Sets a user's status: away or not, and a text. */
export async function setStatus(
  transaction: Transact,
  by: User,
  written: { away?: boolean | undefined; text?: string | undefined },
): Promise<void> {
  const text = written.text?.trim();
  checkLength('status_text', text ?? '', MAX_TEXT_LENGTH);
  ensure(written.away !== undefined || text !== undefined, badRequest('Client did not pass any new values.'));
  const away = written.away === undefined ? {} : { away: written.away };
  const words = text === undefined ? {} : { status_text: text };
  await transaction(async (tx) => {
    await statuses.set(tx.db, by.id, {
      ...(written.away === undefined ? {} : { isAway: written.away }),
      ...(text === undefined ? {} : { text }),
    });
    tx.deliver(eventDelivery(by.realmId, 'everyone', { type: 'user_status', user_id: by.id, ...away, ...words }));
  });
}

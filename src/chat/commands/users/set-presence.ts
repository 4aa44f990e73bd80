/** Records what users report of themselves: their clients' presence, and their status. */
import { ensure } from '../../../kernel/fault';
import type { Kernel } from '../../../kernel/kernel';
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
import * as realms from '../../store/organisation/realms';
import * as statuses from '../../store/users/user-statuses';

/** Publishes the report if it is news. */
export async function setPresence(
  kernel: Keyspace & Pick<Kernel, 'clock' | 'ephemera' | 'mysql'>,
  by: User,
  report: { status: string; client: string },
): Promise<void> {
  ensureHuman(by);
  const { status } = report;
  if (!isPresenceStatus(status)) throw invalidStatus(status);
  const client = presenceClient(report.client);
  const reported = await presence
    .at(realmTenant(by.realmId))
    .request(kernel, 'report', { userId: by.id, client, status });
  if (!reported.isNews) return;
  const realm = await realms.byId(kernel.mysql, by.realmId);
  if (realm?.settings.presence_disabled === true) return;
  const event = {
    type: 'presence',
    email: by.email,
    server_timestamp: kernel.clock.now().getTime() / 1000,
    presence: { [client]: wireReport(client, reported) },
  };
  await kernel.ephemera.push(realmTenant(by.realmId), entryOf('everyone', event));
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

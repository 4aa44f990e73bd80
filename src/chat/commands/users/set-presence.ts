/** Records the presence that users' clients report. */
import type { Keyspace } from '../../../kernel/redis/connections';
import { presence } from '../../actors/presence/presence';
import { entryOf } from '../../model/events/event';
import { realmTenant } from '../../model/organisation/realm';
import { isPresenceStatus, presenceClient, wireReport } from '../../model/users/presence';
import type { User } from '../../model/users/user';
import { invalidStatus } from '../../model/users/user-faults';
import { ensureHuman } from '../../model/users/user-policy';
import type { Chat } from '../../parts';

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
  const { isOff, emails } = await chat.presencePeople.find(by.realmId);
  if (isOff || !emails.has(by.id)) return;
  const event = {
    type: 'presence',
    email: by.email,
    server_timestamp: chat.clock.now().getTime() / 1000,
    presence: { [client]: wireReport(client, reported) },
  };
  await chat.ephemera.push(realmTenant(by.realmId), entryOf('everyone', event, { today: { user_id: by.id } }));
}

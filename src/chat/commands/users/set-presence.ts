/** Records a client's presence report, and publishes it if it is news. */
import type { Kernel } from '../../../kernel/kernel';
import { presence } from '../../actors/presence/presence';
import { eventDelivery } from '../../model/events/event';
import { realmTenant } from '../../model/organisation/realm';
import { isPresenceStatus, presenceClient, wireReport } from '../../model/users/presence';
import type { User } from '../../model/users/user';
import { invalidStatus } from '../../model/users/user-faults';
import { ensureHuman } from '../../model/users/user-policy';
import * as realms from '../../store/organisation/realms';

export async function setPresence(kernel: Kernel, by: User, report: { status: string; client: string }): Promise<void> {
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
  await kernel.transaction((tx) => {
    tx.deliver(eventDelivery(by.realmId, 'everyone', event));
    return Promise.resolve();
  });
}

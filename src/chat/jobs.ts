/** The jobs of chat, by name; workers/ has what runs them. */
import { defineJob } from '../kernel/jobs/job';
import { realmTenant, type RealmId } from './model/organisation/realm';
import type { UserId } from './model/users/user';

/** Work that belongs to an organisation. */
interface OfRealm {
  readonly realmId: RealmId;
}

const whose = ({ realmId }: OfRealm) => realmTenant(realmId);

/** Turns what waits for a bot into messages. There is one of these per bot, however much waits. */
export const emptyInbox = defineJob<OfRealm & { botId: UserId }>('chat-webhooks', {
  attempts: 1,
  backoffMs: 1000,
  whose,
});

/** Whether a message's linked pages get previews. */
import type { User } from '../../model/users/user';
import type { Chat } from '../../parts';
import * as realms from '../../store/organisation/realms';

/** As in Zulip, bots' messages get no previews. */
export function wantsPreviews(chat: Chat, by: User, pages: readonly string[]): boolean | Promise<boolean> {
  if (pages.length === 0 || by.botType !== null) return false;
  return chat.previewRealms.get(
    by.realmId,
    async () => (await realms.byId(chat.kernel.mysql, by.realmId))?.settings.inline_url_embed_preview === true,
  );
}

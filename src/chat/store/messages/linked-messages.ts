/** Messages that need link previews, as mail. New messages write theirs in their commit packet. */
import { kernelMailTable } from '../../../kernel/mailbox/kernel-mail';
import { realmTenant, type RealmId } from '../../model/organisation/realm';

export const PREVIEWS = 'chat-previews';

export interface LinkedMessage {
  readonly realmId: RealmId;
  readonly messageId: number;
}

export const previewTable = kernelMailTable<LinkedMessage>(PREVIEWS);

const addressOf = ({ realmId, messageId }: LinkedMessage): string => `${realmId}-${messageId}`;

/** One address per message, so that previews of a message run one after the other. */
export const previewAt = (linked: LinkedMessage) => ({ id: addressOf(linked), group: realmTenant(linked.realmId) });

export const previewMail = (linked: LinkedMessage) => ({
  tenant: realmTenant(linked.realmId),
  address: addressOf(linked),
  body: linked,
});

/** The same mail as a row of a commit packet, with the organisation and id as SQL expressions. */
export const previewRow = (realmId: string, id: string): string =>
  `('${PREVIEWS}', CONCAT('chat:', ${realmId}), CONCAT(${realmId}, '-', ${id}), ` +
  `CONCAT('{"realmId":', ${realmId}, ',"messageId":', ${id}, '}'), 'pending', NOW(3), NOW(3))`;

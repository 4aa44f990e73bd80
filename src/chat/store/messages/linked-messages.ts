/** Messages whose linked pages are still to be shown, as mail. New messages bring theirs in their packet. */
import { ownTable } from '../../../kernel/mailbox/own-mail';
import { realmTenant, type RealmId } from '../../model/organisation/realm';

export const PREVIEWS = 'chat-previews';

export interface LinkedMessage {
  readonly realmId: RealmId;
  readonly messageId: number;
}

export const previewTable = ownTable<LinkedMessage>(PREVIEWS);

const addressOf = ({ realmId, messageId }: LinkedMessage): string => `${realmId}-${messageId}`;

/** One after the other for each message. */
export const previewAt = (linked: LinkedMessage) => ({ id: addressOf(linked), group: realmTenant(linked.realmId) });

export const previewMail = (linked: LinkedMessage) => ({
  tenant: realmTenant(linked.realmId),
  address: addressOf(linked),
  body: linked,
});

/** The same as a row of a packet, whose organisation and id are given in SQL. */
export const previewRow = (realmId: string, id: string): string =>
  `('${PREVIEWS}', CONCAT('chat:', ${realmId}), CONCAT(${realmId}, '-', ${id}), ` +
  `CONCAT('{"realmId":', ${realmId}, ',"messageId":', ${id}, '}'), 'pending', NOW(3), NOW(3))`;

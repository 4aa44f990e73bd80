/** Messages that need link previews, as mail. New messages write theirs in their commit packet. */
import { kernelMailTable } from '../../../kernel/mailbox/kernel-mail';
import type { RealmId } from '../../model/organisation/realm';

export const PREVIEWS = 'chat-previews';

export interface LinkedMessage {
  readonly realmId: RealmId;
  readonly messageId: number;
}

export const previewTable = kernelMailTable<LinkedMessage>(PREVIEWS);

/** Such mail as a row of a commit packet, with the organisation and id as SQL expressions. */
export const previewRow = (realmId: string, id: string): string =>
  `('${PREVIEWS}', CONCAT('chat:', ${realmId}), CONCAT(${realmId}, '-', ${id}), ` +
  `CONCAT('{"realmId":', ${realmId}, ',"messageId":', ${id}, '}'), 'pending', NOW(3), NOW(3))`;

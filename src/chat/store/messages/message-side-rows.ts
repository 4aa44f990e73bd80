/** Rows in other tables that are written together with new messages. */
import { INTO_MAIL, kernelMailTable } from '../../../kernel/mailbox/kernel-mail';
import { literal } from '../../../kernel/mysql/literal';
import { FLAGS } from '../../model/messages/message';
import { WIDGET } from '../../model/messages/submessage';
import type { RealmId } from '../../model/organisation/realm';
import type { NewMessage } from './message-packet';

/** Messages that need link previews, as mail. New messages write theirs in their commit packet. */
export const PREVIEWS = 'chat-previews';

export interface LinkedMessage {
  readonly realmId: RealmId;
  readonly messageId: number;
}

export const previewTable = kernelMailTable<LinkedMessage>(PREVIEWS);

/** Mail for link previews as a row of a commit packet, with the organisation and id as SQL expressions. */
const previewRow = (realmId: string, id: string): string =>
  `('${PREVIEWS}', CONCAT('chat:', ${realmId}), CONCAT(${realmId}, '-', ${id}), ` +
  `CONCAT('{"realmId":', ${realmId}, ',"messageId":', ${id}, '}'), 'pending', NOW(3), NOW(3))`;

interface SideTable {
  /** The table, with its columns in parentheses. */
  readonly into: string;
  /** The rows of one message, whose organisation and id are SQL expressions. */
  readonly rowsOf: (message: NewMessage, realmId: string, id: string) => readonly string[];
}

const TABLES: readonly SideTable[] = [
  {
    into: 'chat_flags (user_id, flag, message_id)',
    rowsOf: ({ flags }, _, id) => flags.map(({ userId, flag }) => `(${literal(userId)}, ${FLAGS[flag]}, ${id})`),
  },
  {
    into: 'chat_read_exceptions (user_id, message_id, recipient_id, is_read)',
    rowsOf: ({ mutedBy, recipientId }, _, id) =>
      mutedBy.map((userId) => `(${literal(userId)}, ${id}, ${literal(recipientId)}, 1)`),
  },
  {
    into: 'chat_upload_links (upload_id, realm_id, message_id)',
    rowsOf: ({ uploadIds }, realmId, id) => uploadIds.map((uploadId) => `(${literal(uploadId)}, ${realmId}, ${id})`),
  },
  {
    into: INTO_MAIL,
    rowsOf: ({ isPreviewed }, realmId, id) => (isPreviewed ? [previewRow(realmId, id)] : NONE),
  },
  {
    into: 'chat_outgoing_calls (realm_id, bot_id, message_id, cause, state, due_at, created_at)',
    rowsOf: ({ calls }, realmId, id) =>
      calls.map(
        ({ botId, cause }) => `(${realmId}, ${literal(botId)}, ${id}, ${literal(cause)}, 'pending', NOW(3), NOW(3))`,
      ),
  },
  {
    into: 'chat_submessages (realm_id, message_id, place, sender_id, type, content)',
    rowsOf: ({ widget, senderId }, realmId, id) =>
      widget === null ? NONE : [`(${realmId}, ${id}, 1, ${literal(senderId)}, ${literal(WIDGET)}, ${literal(widget)})`],
  },
];

const NONE: readonly string[] = [];

/** One statement per table that gets rows. The messages' ids follow `@record`. */
export function sideStatements(realmId: RealmId, batch: readonly NewMessage[]): string[] {
  const realm = literal(realmId);
  return TABLES.flatMap(({ into, rowsOf }) => {
    const rows = batch.flatMap((message, index) => rowsOf(message, realm, `@record + ${index + 1}`));
    return rows.length === 0 ? [] : [`INSERT INTO ${into} VALUES ${rows.join(',')}`];
  });
}

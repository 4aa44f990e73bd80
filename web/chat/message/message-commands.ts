/** Commands shared by buttons and keys: reply, quote, edit, link. */
import { copyText } from '../../shared/ui/copy-text';
import { openReply, quoteInto } from '../compose/state';
import { markUnreadFrom, rawContentOf } from '../data/actions';
import { conversationOf, pathOf } from '../data/narrow';
import { chat } from '../data/store';
import type { Message } from '../data/wire';
import { useShown } from '../dialogs/dialogs';
import { shownIds } from '../list/selection';

export const reply = (message: Message): void => openReply(message);

/** Quotes as Zulip does: author, link, and the text in a fence longer than any fence inside. */
export async function quote(message: Message): Promise<void> {
  const text = await rawContentOf(message.id);
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const link = location.origin + linkTo(message);
  openReply(message);
  quoteInto(
    `@_**${message.sender_full_name}|${message.sender_id}** [said](${link}):\n${fence}quote\n${text}\n${fence}\n`,
  );
}

export const linkTo = (message: Message): string => pathOf(conversationOf(message, chat().ownId), message.id);

export const copyLink = (message: Message): Promise<void> => copyText(location.origin + linkTo(message));

export function startEdit(message: Message): void {
  useShown.setState({ editing: message.id });
}

/** Marks this message and those below it in the view as unread. */
export function unreadFromHere(message: Message): Promise<void> {
  return markUnreadFrom(shownIds().filter((id) => id >= message.id));
}

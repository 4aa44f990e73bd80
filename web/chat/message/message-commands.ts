/** Commands shared by buttons and keys: reply, quote, edit, link. */
import { copyText } from '../../shared/ui/copy-text';
import { openReply, quoteInto } from '../compose/state';
import { canEditContent, markUnreadFrom, rawContentOf } from '../data/actions';
import { lastOwn } from '../data/last-own';
import { conversationOf, pathOf, type Narrow } from '../data/narrow';
import { chat } from '../data/store';
import type { Message } from '../data/wire';
import { useShown } from '../dialogs/dialogs';
import { listScroller, select, shownIds } from '../list/selection';
import { stopReading } from '../list/use-read-on-scroll';

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

/** Edits a message, or else the reader's own last message in the view. Returns whether there is one to edit. */
export function editOwn(narrow: Narrow | undefined, selected?: Message): boolean {
  const message = selected ?? (narrow && lastOwn(narrow, shownIds()));
  if (!message || !canEditContent(message)) return false;
  select(message.id);
  listScroller()?.show(message.id);
  startEdit(message);
  return true;
}

/** Marks this message and those below it in the view as unread. */
export function unreadFromHere(message: Message): Promise<void> {
  stopReading();
  return markUnreadFrom(shownIds().filter((id) => id >= message.id));
}

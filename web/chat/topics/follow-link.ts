/** Opens the view that a link leads to. */
import { navigate } from 'wouter/use-browser-location';
import { api } from '../../shared/http/request';
import type { LinkTarget } from '../data/links';
import { messageById } from '../data/messages';
import { conversationOf, keyOf, pathOf, placeAt } from '../data/narrow';
import { chat } from '../data/store';
import type { Message, MessagesAnswer } from '../data/wire';

export function followLink(target: LinkTarget, options: { readonly replace?: boolean } = {}): void {
  navigate(target.path, options);
  if (target.messageId !== undefined) void followMove(target.path, target.messageId).catch(() => undefined);
}

/** The topic of a link may have been moved or renamed: whoever is still there is taken to where its message is now. */
async function followMove(path: string, id: number): Promise<void> {
  const message = messageById(id) ?? (await askFor(id));
  const { narrow, near } = placeAt(path)!;
  const here = placeAt(location.pathname)?.narrow;
  if (!message || !here || keyOf(here) !== keyOf(narrow)) return;
  const now = conversationOf(message, chat().ownId);
  if (keyOf(now) !== keyOf(narrow)) navigate(pathOf(now, near), { replace: true });
}

async function askFor(id: number): Promise<Message | undefined> {
  const query = { anchor: id, num_before: 0, num_after: 0, narrow: [{ operator: 'id', operand: id }] };
  return (await api.get<MessagesAnswer>('/messages', query)).messages.find((each) => each.id === id);
}

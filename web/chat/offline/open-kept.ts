/** Starts the chat without a network, with what this session kept. Its events follow when the server can be reached. */
import { emptyList, putList } from '../data/lists';
import { putMessage } from '../data/messages';
import { chat, useChat } from '../data/store';
import type { SignedIn } from '../data/wire';
import { readPageToken } from '../page-token';
import { readKept } from './kept';

/** Undefined if there is nothing to start with, or the page has started already. */
export async function openKept(): Promise<SignedIn | undefined> {
  const token = readPageToken();
  const kept = await readKept(token);
  if (!kept || chat().ownId !== 0) return undefined;
  for (const message of kept.messages) putMessage(message);
  for (const { narrow, ids } of kept.lists) putList({ ...emptyList(narrow), ids, hasNewest: true });
  useChat.setState({ ...kept.state, connection: 'offline' });
  return { ...kept.session, token };
}

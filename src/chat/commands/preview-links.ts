/** Shows the pages that a message links: fetches them, renders the message anew, and tells everyone who has it. */
import { Fault } from '../../kernel/fault';
import type { Tx } from '../../kernel/mysql/transaction';
import { tell } from '../model/event';
import type { Message } from '../model/message';
import type { RealmId } from '../model/realm';
import { renderingEvent, withFlags } from '../model/revision';
import type { User } from '../model/user';
import type { Chat } from '../parts';
import { findPreviews } from '../queries/find-previews';
import { renderMarkup } from '../queries/render-content';
import * as audience from '../store/message-audience';
import * as edits from '../store/message-edits';
import * as messages from '../store/messages';
import * as pending from '../store/pending-previews';
import * as people from '../store/people';
import * as realms from '../store/realms';
import { hearersByFlags } from './edit-message';

export interface PreviewOrder {
  readonly realmId: RealmId;
  readonly messageId: number;
  readonly signal: AbortSignal;
}

export async function previewLinks(chat: Chat, { realmId, messageId, signal }: PreviewOrder): Promise<void> {
  const { mysql } = chat.kernel;
  const [realm, [message]] = await Promise.all([
    realms.byId(mysql, realmId),
    messages.byIds(mysql, realmId, [messageId]),
  ]);
  // Deleted, or switched off meanwhile.
  if (!message || realm?.settings.inline_url_embed_preview !== true)
    return pending.remove(mysql, { realmId, messageId });
  const [sender] = await people.byIds(mysql, realmId, [message.senderId]);
  const html = await render(chat, sender!, message, signal);
  await chat.kernel.transaction((tx) => finish(tx, sender!, message, html));
}

/** Undefined where there is nothing to show. */
async function render(chat: Chat, by: User, message: Message, signal: AbortSignal): Promise<string | undefined> {
  const { realmId, content } = message;
  const { pages } = await renderMarkup(chat, { realmId, content, by });
  const previews = await findPreviews(chat, { realmId, pages, signal });
  if (previews.size === 0) return undefined;
  try {
    return (await renderMarkup(chat, { realmId, content, by, previews })).html;
  } catch (error) {
    // With the pages it would be too long: then it stays as it is.
    if (error instanceof Fault && error.kind !== 'unavailable') return undefined;
    throw error;
  }
}

async function finish(
  tx: Tx,
  sender: User,
  { realmId, id, content }: Message,
  html: string | undefined,
): Promise<void> {
  const before = await edits.lock(tx.db, realmId, id);
  // Words that were changed meanwhile have asked for previews of their own.
  if (before && before.content !== content) return;
  await pending.remove(tx.db, { realmId, messageId: id });
  if (before && html !== undefined && before.rendered !== html) await show(tx, sender, { ...before, rendered: html });
}

async function show(tx: Tx, sender: User, message: Message): Promise<void> {
  await edits.update(tx.db, message);
  const stream = message.topicId === null ? null : await audience.holdStream(tx.db, message.recipientId);
  const received = new Set(await edits.receivers(tx.db, message));
  const event = renderingEvent(message, sender);
  for (const [flags, to] of await hearersByFlags(tx, message, received, stream)) {
    tx.deliver(tell(message.realmId, to, withFlags(event, flags)));
  }
}

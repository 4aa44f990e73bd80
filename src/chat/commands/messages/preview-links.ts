/** Adds page previews to a message: fetches the linked pages, renders the message again, and publishes the result. */
import { endingWith } from '../../../kernel/ending';
import { Fault } from '../../../kernel/fault';
import { done, dropped, type Ending } from '../../../kernel/mailbox/ending';
import type { MailTurn } from '../../../kernel/mailbox/work';
import type { Tx } from '../../../kernel/mysql/transaction';
import type { Keyspace } from '../../../kernel/redis/connections';
import { eventDelivery } from '../../model/events/event';
import type { Message } from '../../model/messages/message';
import { renderingEvent, withFlags } from '../../model/messages/revision';
import type { User } from '../../model/users/user';
import type { Chat, Rendering } from '../../parts';
import { findPreviews } from '../../queries/messages/find-previews';
import { renderMarkup } from '../../queries/messages/render-content';
import type { LinkedMessage } from '../../store/messages/message-side-rows';
import * as audience from '../../store/messages/message-audience';
import * as edits from '../../store/messages/message-edits';
import * as messages from '../../store/messages/messages';
import * as realms from '../../store/organisation/realms';
import * as people from '../../store/users/people';
import { receiversByFlags } from './edit-message';

type Parts = Rendering & Keyspace & Pick<Chat, 'log' | 'outbound'>;

export async function previewLinks(
  chat: Parts,
  { signal, draining }: MailTurn,
  { realmId, messageId }: LinkedMessage,
): Promise<Ending> {
  const { mysql } = chat;
  const [realm, [message]] = await Promise.all([
    realms.byId(mysql, realmId),
    messages.byIds(mysql, realmId, [messageId]),
  ]);
  if (!message) return dropped('The message was deleted');
  if (realm?.settings.inline_url_embed_preview !== true) return dropped('The organisation shows no pages any more');
  const [sender] = await people.byIds(mysql, realmId, [message.senderId]);
  const html = await endingWith([signal, draining], (ending) => render(chat, sender!, message, ending.signal));
  return html === undefined ? done() : done({ write: (tx) => show(tx, sender!, message, html) });
}

/** Returns undefined if there is nothing to preview. */
async function render(chat: Parts, by: User, message: Message, signal: AbortSignal): Promise<string | undefined> {
  const { realmId, content } = message;
  const { pages } = await renderMarkup(chat, { realmId, content, by });
  const previews = await findPreviews(chat, { realmId, pages, signal });
  if (previews.size === 0) return undefined;
  try {
    return (await renderMarkup(chat, { realmId, content, by, previews })).html;
  } catch (error) {
    // The message would be too long with previews, so it stays as it is.
    if (error instanceof Fault && error.kind !== 'unavailable') return undefined;
    throw error;
  }
}

async function show(tx: Tx, sender: User, { realmId, id, content }: Message, html: string): Promise<void> {
  const before = await edits.lock(tx.db, realmId, id);
  // An edit that came meanwhile has requested its own previews.
  if (before?.content !== content || before.rendered === html) return;
  const message = { ...before, rendered: html };
  await edits.update(tx.db, message);
  const stream = message.topicId === null ? null : await audience.holdStream(tx.db, message.recipientId);
  const received = new Set(await edits.receivers(tx.db, message));
  const event = renderingEvent(message, sender);
  const today = { edit_timestamp: message.editedAt ?? message.sentAt };
  for (const [flags, to] of await receiversByFlags(tx, message, received, stream)) {
    tx.deliver(eventDelivery(message.realmId, to, withFlags(event, flags), today));
  }
}

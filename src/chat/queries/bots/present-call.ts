/** A message as it is posted to an outgoing webhook bot, and where the bot's reply goes. */
import type { Database } from '../../../kernel/mysql/pool';
import { runRead } from '../../../kernel/mysql/read-packet';
import type { CalledMessage } from '../../model/bots/outgoing-webhook';
import type { Message } from '../../model/messages/message';
import { nearConversation, nearTopic } from '../../model/markdown/links/stream-links';
import type { User, UserId } from '../../model/users/user';
import { presentRead } from '../reading/present-messages';

export interface PresentedCall {
  readonly message: CalledMessage;
  readonly to: { readonly type: 'stream' | 'private'; readonly to: string };
  /** Link to the message, relative to the organisation's address. */
  readonly link: string;
}

const AS_WRITTEN = { wantsHtml: false, computesAvatars: false } as const;

export async function presentCall(db: Database, bot: User, message: Message): Promise<PresentedCall> {
  const present = await runRead(db, presentRead(bot, [message], AS_WRITTEN));
  // The flags are the bot's own, and useless to its program.
  const { flags: _, ...shown } = present(message);
  const called = { ...shown, rendered_content: message.rendered } as unknown as CalledMessage;
  if (message.topicId !== null) {
    const stream = { id: message.recipientId, name: String(called.display_recipient) };
    const to = { type: 'stream', to: JSON.stringify([message.recipientId]) } as const;
    return { message: called, to, link: nearTopic(stream, message.topic, message.id) };
  }
  const ids = (called.display_recipient as readonly { readonly id: UserId }[]).map(({ id }) => id);
  return { message: called, to: { type: 'private', to: JSON.stringify(ids) }, link: nearConversation(ids, message.id) };
}

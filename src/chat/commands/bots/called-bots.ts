/** Determines which outgoing webhook bots a message calls. */
import type { OutgoingCall } from '../../model/bots/outgoing-webhook';
import type { User, UserId } from '../../model/users/user';
import type { Chat } from '../../parts';
import type { RenderedContent } from '../../queries/messages/render-content';
import * as endpoints from '../../store/bots/bot-endpoints';
import type { Addressed } from '../messages/compose-message';

const NO_BOTS: ReadonlySet<UserId> = new Set();
const NO_CALLS: readonly OutgoingCall[] = [];

type Mentioning = Pick<RenderedContent, 'mentionedUserIds'>;

/** Messages from bots call nobody: two bots could answer each other for ever. */
const mayCall = (by: User, { destination }: Addressed, { mentionedUserIds }: Mentioning): boolean =>
  by.botType === null && (destination.type === 'private' || mentionedUserIds.length > 0);

/** The bots that may be called. They are read again before their time is over, so that few messages wait for that. */
export async function findOutgoingBots(
  chat: Pick<Chat, 'mysql' | 'outgoingBots'>,
  by: User,
  addressed: Addressed,
  rendered: Mentioning,
): Promise<ReadonlySet<UserId>> {
  if (!mayCall(by, addressed, rendered)) return NO_BOTS;
  const read = () => endpoints.callable(chat.mysql, by.realmId);
  return chat.outgoingBots.getRefreshed(by.realmId, read) ?? chat.outgoingBots.get(by.realmId, read);
}

/** Bots mentioned beyond this number are not called, so that one message cannot cause many requests. */
const MAX_CALLS = 20;

/** In streams, calls mentioned bots; in private streams only subscribers. In private conversations, calls all bots. */
export function callsOf(
  { destination, isPublic, subscribers }: Addressed,
  { mentionedUserIds }: Mentioning,
  outgoing: ReadonlySet<UserId>,
): readonly OutgoingCall[] {
  if (outgoing.size === 0) return NO_CALLS;
  const isStream = destination.type === 'stream';
  const meant = isStream ? mentionedUserIds.filter((id) => isPublic || subscribers.has(id)) : [...subscribers];
  const cause = isStream ? 'mention' : 'private_message';
  const called = meant.filter((id) => outgoing.has(id)).slice(0, MAX_CALLS);
  return called.map((botId) => ({ botId, cause }));
}

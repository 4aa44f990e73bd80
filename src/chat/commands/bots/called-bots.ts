/** Which outgoing webhook bots a message calls. */
import type { OutgoingCall } from '../../model/bots/outgoing-webhook';
import type { User, UserId } from '../../model/users/user';
import type { Chat } from '../../parts';
import type { RenderedContent } from '../../queries/messages/render-content';
import * as endpoints from '../../store/bots/bot-endpoints';
import type { Addressed } from '../messages/compose-message';

const NO_BOTS: ReadonlySet<UserId> = new Set();
const NO_CALLS: readonly OutgoingCall[] = [];

type Mentioning = Pick<RenderedContent, 'mentionedUserIds'>;

/** A bot's own messages call nobody: two bots would never end. */
const mayCall = (by: User, { destination }: Addressed, { mentionedUserIds }: Mentioning): boolean =>
  by.botType === null && (destination.type === 'private' || mentionedUserIds.length > 0);

const read = (chat: Chat, by: User) => () => endpoints.callable(chat.kernel.mysql, by.realmId);

/** The bots that may be called; undefined where they have to be looked up first. */
export const cachedOutgoingBots = (
  chat: Chat,
  by: User,
  addressed: Addressed,
  rendered: Mentioning,
): ReadonlySet<UserId> | undefined =>
  mayCall(by, addressed, rendered) ? chat.outgoingBots.getRefreshed(by.realmId, read(chat, by)) : NO_BOTS;

export const findOutgoingBots = async (
  chat: Chat,
  by: User,
  addressed: Addressed,
  rendered: Mentioning,
): Promise<ReadonlySet<UserId>> =>
  mayCall(by, addressed, rendered) ? chat.outgoingBots.get(by.realmId, read(chat, by)) : NO_BOTS;

/**
 * Further bots that a message mentions are not called: whoever makes many bots must not make many requests of one
 * message.
 */
const MOST_CALLS = 20;

/**
 * In streams those that are mentioned, in private ones only if they hear the stream; in private conversations all that
 * take part.
 */
export function callsOf(
  { destination, isPublic, subscribers }: Addressed,
  { mentionedUserIds }: Mentioning,
  outgoing: ReadonlySet<UserId>,
): readonly OutgoingCall[] {
  if (outgoing.size === 0) return NO_CALLS;
  const isStream = destination.type === 'stream';
  const meant = isStream ? mentionedUserIds.filter((id) => isPublic || subscribers.has(id)) : [...subscribers];
  const cause = isStream ? 'mention' : 'private_message';
  const called = meant.filter((id) => outgoing.has(id)).slice(0, MOST_CALLS);
  return called.map((botId) => ({ botId, cause }));
}

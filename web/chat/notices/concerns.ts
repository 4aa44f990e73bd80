/** Which new messages the reader is told of by a note or a sound, as the settings say. */
import { chat, FOLLOWED, isMuted, setting, topicKey } from '../data/store';
import type { Message, Subscription } from '../data/wire';
import { isGroupOn } from './levels';
import { isQuietNow } from './quiet-hours';

const streamOf = (message: Message): Subscription | undefined => chat().subscriptions.get(message.stream_id!);

const isFollowed = ({ stream_id: streamId, subject }: Message): boolean =>
  chat().userTopics.get(topicKey(streamId!, subject))?.visibility_policy === FOLLOWED;

/** Private messages and mentions by name, which quiet hours may let through. */
const isToReader = ({ type, flags }: Message): boolean => type === 'private' || flags.includes('mentioned');

function isToAll(message: Message): boolean {
  if (!message.flags.includes('wildcard_mentioned') || isMuted(message.stream_id!, message.subject)) return false;
  if (isFollowed(message) && setting('enable_followed_topic_wildcard_mentions_notify', true)) return true;
  return streamOf(message)?.wildcard_mentions_notify ?? setting('wildcard_mentions_notify', true);
}

const isPersonal = (message: Message): boolean =>
  isToReader(message) || message.flags.includes('has_alert_word') || isToAll(message);

const isOver = ({ sender_id: sender, flags }: Message): boolean => sender === chat().ownId || flags.includes('read');

/** Each reason that holds is enough. */
function isWanted(message: Message, way: 'desktop' | 'audible'): boolean {
  if (isOver(message)) return false;
  if (isPersonal(message) && isGroupOn('personal', way)) return true;
  if (message.type === 'private' || isMuted(message.stream_id!, message.subject)) return false;
  if (isFollowed(message) && isGroupOn('followed', way)) return true;
  return streamOf(message)?.[`${way}_notifications`] ?? isGroupOn('streams', way);
}

export const isShown = (message: Message): boolean => isWanted(message, 'desktop');
export const isHeard = (message: Message): boolean => isWanted(message, 'audible');

/** Those that quiet hours do not hold back. */
export function notHeldBack(messages: readonly Message[]): readonly Message[] {
  if (!isQuietNow()) return messages;
  return setting('quiet_hours_allow_personal', false) ? messages.filter(isToReader) : [];
}

/** Which new messages the reader is told of by a note or a sound, as the settings say. */
import { chat, FOLLOWED, isMuted, setting, topicKey } from '../data/store';
import type { Message, Subscription } from '../data/wire';

const streamOf = (message: Message): Subscription | undefined => chat().subscriptions.get(message.stream_id!);

/** Private messages, mentions, alert words and topics that the reader follows. */
function isAddressed(message: Message): boolean {
  const { type, flags, stream_id: streamId, subject } = message;
  if (type === 'private' || flags.includes('mentioned') || flags.includes('has_alert_word')) return true;
  if (chat().userTopics.get(topicKey(streamId!, subject))?.visibility_policy === FOLLOWED) return true;
  if (!flags.includes('wildcard_mentioned')) return false;
  return streamOf(message)?.wildcard_mentions_notify ?? setting('wildcard_mentions_notify', true);
}

function isWanted(message: Message, property: 'desktop_notifications' | 'audible_notifications'): boolean {
  const { sender_id: sender, flags, stream_id: streamId, subject } = message;
  if (sender === chat().ownId || flags.includes('read')) return false;
  if (isAddressed(message)) return true;
  if (isMuted(streamId!, subject)) return false;
  return streamOf(message)?.[property] ?? setting(`enable_stream_${property}`, false);
}

export const isShown = (message: Message): boolean => isWanted(message, 'desktop_notifications');
export const isHeard = (message: Message): boolean => isWanted(message, 'audible_notifications');

/** Desktop notifications and sounds, as the settings say. */
import { isPushOn } from '../../shared/push/push-device';
import { conversationOf, pathOf } from '../data/narrow';
import { chat, setting } from '../data/store';
import type { Message } from '../data/wire';
import { plainText } from './announce';
import { isHeard, isShown, notHeldBack } from './concerns';
import { isToldHere } from './in-use';
import { pushTagOf } from './push-tag';
import { playSound } from './sounds';

const MAX_LENGTH = 140;

export function notifyOfMessages(messages: readonly Message[]): void {
  if (!isToldHere()) return;
  const told = notHeldBack(messages);
  if (told.some(isHeard)) playSound(setting('notification_sound', 'zulip'));
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  for (const message of told.filter(isShown).slice(-3)) void show(message).catch(() => undefined);
}

async function show(message: Message): Promise<void> {
  const isSecret = message.type === 'private' && !setting('pm_content_in_desktop_notifications', true);
  const place =
    message.type === 'stream' ? ` (#${chat().streams.get(message.stream_id!)?.name ?? ''} › ${message.subject})` : '';
  const title = message.sender_full_name + place;
  const path = pathOf(conversationOf(message, chat().ownId), message.id);
  const body = isSecret ? '' : plainText(message.content).slice(0, MAX_LENGTH);
  const data = { path, ids: [message.id] };
  // A push about it replaces this note.
  if (await isPushOn('/')) {
    const registration = await navigator.serviceWorker.getRegistration('/');
    return registration?.showNotification(title, { body, data, tag: pushTagOf(message) });
  }
  const options = { body, data, tag: `message-${message.id}` };
  const note = openNote(title, options);
  // A browser on a telephone shows notes of service workers only.
  if (!note) return (await navigator.serviceWorker?.getRegistration())?.showNotification(title, options);
  note.addEventListener('click', () => {
    window.focus();
    history.pushState(null, '', path);
    note.close();
  });
}

function openNote(title: string, options: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options);
  } catch {
    return undefined;
  }
}

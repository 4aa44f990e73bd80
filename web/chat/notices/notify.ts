/** Desktop notifications and sounds, as the settings say. */
import { isPushOn } from '../../shared/push/push-device';
import { conversationOf, pathOf } from '../data/narrow';
import { chat, setting } from '../data/store';
import type { Message } from '../data/wire';
import { plainText } from './announce';
import { isHeard, isShown } from './concerns';
import { pushTagOf } from './push-tag';

const MAX_LENGTH = 140;

export function notifyOfMessages(messages: readonly Message[]): void {
  if (document.hasFocus()) return;
  const wanted = messages.filter(isShown);
  if (setting('enable_sounds', true) && messages.some(isHeard)) playSound();
  if (!setting('enable_desktop_notifications', true) || !('Notification' in window)) return;
  if (Notification.permission !== 'granted') return;
  for (const message of wanted.slice(-3)) void show(message).catch(() => undefined);
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

/** Two soft tones, synthesised so that no file is loaded. */
function playSound(): void {
  try {
    const context = new AudioContext();
    const gain = context.createGain();
    gain.connect(context.destination);
    gain.gain.setValueAtTime(0.06, context.currentTime);
    gain.gain.exponentialRampToValueAtTime(0.0001, context.currentTime + 0.5);
    const tone = context.createOscillator();
    tone.frequency.setValueAtTime(660, context.currentTime);
    tone.frequency.setValueAtTime(880, context.currentTime + 0.12);
    tone.connect(gain);
    tone.start();
    tone.stop(context.currentTime + 0.5);
    tone.addEventListener('ended', () => void context.close());
  } catch {
    // Browsers play no sound before the first click.
  }
}

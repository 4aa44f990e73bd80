/** Announces new messages of the visible view to screen readers. */
import { create } from 'zustand';
import { t } from '../../shared/texts/texts';
import { matches } from '../data/narrow';
import { useLists } from '../data/lists';
import { chat, isMuted } from '../data/store';
import type { Message } from '../data/wire';

const MAX_LENGTH = 200;
const useAnnouncement = create<{ text: string }>(() => ({ text: '' }));

export const plainText = (html: string): string =>
  (
    new DOMParser().parseFromString(html.replaceAll(' style="', ' data-style="'), 'text/html').body.textContent ?? ''
  ).trim();

export function announceMessages(messages: readonly Message[]): void {
  const { byKey, current } = useLists.getState();
  const narrow = byKey.get(current)?.narrow;
  const { ownId } = chat();
  const shown = messages.filter(
    (message) => message.sender_id !== ownId && narrow && matches(narrow, message, { ownId, isMuted }),
  );
  const last = shown.at(-1);
  if (!last) return;
  const text = plainText(last.content).slice(0, MAX_LENGTH);
  useAnnouncement.setState({
    text:
      shown.length === 1
        ? t('list.announce', { name: last.sender_full_name, text })
        : t('list.announceMany', { count: shown.length, name: last.sender_full_name, text }),
  });
}

export function LiveRegion() {
  const { text } = useAnnouncement();
  return (
    <div className="pl-hidden" aria-live="polite">
      {text}
    </div>
  );
}

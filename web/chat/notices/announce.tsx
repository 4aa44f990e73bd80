/** Announces new messages of the visible view to screen readers, those close together in one sentence. */
import { create } from 'zustand';
import { t } from '../../shared/texts/texts';
import { matches } from '../data/narrow';
import { useLists } from '../data/lists';
import { chat, isMuted } from '../data/store';
import type { Message } from '../data/wire';

const MAX_LENGTH = 200;
/** A sentence takes a while to read; what comes meanwhile is one sentence too. */
const BREATH_MS = 4000;

let waiting: { readonly newest: Message; readonly count: number } | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

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
  const newest = shown.at(-1);
  if (!newest) return;
  waiting = { newest, count: shown.length + (waiting?.count ?? 0) };
  timer ??= setTimeout(speak, 0);
}

function speak(): void {
  timer = undefined;
  if (!waiting) return;
  const { newest, count } = waiting;
  waiting = undefined;
  timer = setTimeout(speak, BREATH_MS);
  const text = plainText(newest.content).slice(0, MAX_LENGTH);
  const name = newest.sender_full_name;
  const words = count === 1 ? t('list.announce', { name, text }) : t('list.announceMany', { count, name, text });
  // The same words again would be no change, and so not be read.
  useAnnouncement.setState((before) => ({ text: words === before.text ? `${words}\u00A0` : words }));
}

export function LiveRegion() {
  const { text } = useAnnouncement();
  return (
    <div className="pl-hidden" aria-live="polite">
      {text}
    </div>
  );
}

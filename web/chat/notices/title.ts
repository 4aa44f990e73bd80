/** The title of the page and its icon, both with the count that the reader has chosen. */
import { useEffect } from 'react';
import readIcon from '../../../src/kernel/api-docs/mark.svg';
import { chat, setting, useChat } from '../data/store';
import { countsOf } from '../side/unread-total';

/** What is counted, in the numbers of `desktop_icon_count_display`. */
const PERSONAL = 2;
const NOTHING = 3;

function shownCount(): number {
  const state = chat();
  const wanted = setting<number>('desktop_icon_count_display', 1);
  if (wanted === NOTHING) return 0;
  const { total, privates } = countsOf(state);
  if (wanted !== PERSONAL) return total;
  const { mentions, conversationOf } = state.unread;
  const inStreams = [...mentions].filter((id) => conversationOf.get(id)?.startsWith('s:'));
  return privates + inStreams.length;
}

const MAX_ON_ICON = 99;

/** The mark with a number on it, as an address. */
function countedIcon(count: number): string {
  const text = count > MAX_ON_ICON ? `${MAX_ON_ICON}+` : String(count);
  const size = [0, 17, 15, 11][text.length]!;
  return `data:image/svg+xml,${encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#4f46e5"/>' +
      '<path d="M10 26V13a6.5 6.5 0 1 1 6.5 6.5H10" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" ' +
      'stroke-linejoin="round"/><circle cx="21" cy="21" r="11" fill="#be123c"/>' +
      `<text x="21" y="${21 + size * 0.36}" font-family="sans-serif" font-weight="700" font-size="${size}" fill="#fff" ` +
      `text-anchor="middle">${text}</text></svg>`,
  )}`;
}

export function keepTitle(title: () => string): () => void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  const set = (): void => {
    const count = shownCount();
    const wanted = `${count > 0 ? `(${count}) ` : ''}${title()} · ${setting('realm_name', '')}`;
    if (document.title !== wanted) document.title = wanted;
    const href = count > 0 ? countedIcon(count) : readIcon;
    // A new address makes the browser draw the icon again.
    if (icon && icon.getAttribute('href') !== href) icon.href = href;
  };
  set();
  return useChat.subscribe(set);
}

export function useTitle(title: string): void {
  useEffect(() => keepTitle(() => title), [title]);
}

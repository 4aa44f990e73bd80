/** The title of the page, with the unread count, and its icon, which has a dot while something is unread. */
import { useEffect } from 'react';
import readIcon from '../../../src/kernel/api-docs/mark.svg';
import unreadIcon from '../../shared/icon-unread.svg';
import { setting, useChat } from '../data/store';
import { unreadTotal } from '../side/unread-total';

export function keepTitle(title: () => string): () => void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  const set = (): void => {
    const count = unreadTotal();
    const wanted = `${count > 0 ? `(${count}) ` : ''}${title()} · ${setting('realm_name', '')}`;
    if (document.title !== wanted) document.title = wanted;
    const href = count > 0 ? unreadIcon : readIcon;
    // A new address makes the browser draw the icon again.
    if (icon && icon.getAttribute('href') !== href) icon.href = href;
  };
  set();
  return useChat.subscribe(set);
}

export function useTitle(title: string): void {
  useEffect(() => keepTitle(() => title), [title]);
}

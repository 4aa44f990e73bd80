/** Whether a media query holds, also after the screen was turned or the window made smaller. */
import { useSyncExternalStore } from 'react';

export interface Media {
  readonly matches: () => boolean;
  readonly useMatches: () => boolean;
}

export function mediaOf(query: string): Media {
  const list = matchMedia(query);
  const whenChanged = (wake: () => void): (() => void) => {
    list.addEventListener('change', wake);
    return () => list.removeEventListener('change', wake);
  };
  const matches = (): boolean => list.matches;
  return { matches, useMatches: () => useSyncExternalStore(whenChanged, matches) };
}

/** Where the side bar is a drawer (web/shared/shell/shell.module.css). */
export const narrow = mediaOf('(max-width: 760px)');

/** Light, dark or system colours, remembered by this browser. */
import { useSyncExternalStore } from 'react';
import { create } from 'zustand';

export type Appearance = 'light' | 'dark' | 'auto';

const NAME = 'partyline:appearance';
const system = matchMedia('(prefers-color-scheme: dark)');

function stored(): Appearance {
  try {
    const value = localStorage.getItem(NAME);
    return value === 'light' || value === 'dark' ? value : 'auto';
  } catch {
    return 'auto';
  }
}

export const useAppearance = create<{ appearance: Appearance }>(() => ({ appearance: stored() }));

export function setAppearance(appearance: Appearance): void {
  useAppearance.setState({ appearance });
  try {
    localStorage.setItem(NAME, appearance);
  } catch {
    // Remembered until the page is closed.
  }
}

/** The colour scheme of a page that is just opening. */
export function firstColorScheme(): 'light' | 'dark' {
  const { appearance } = useAppearance.getState();
  if (appearance !== 'auto') return appearance;
  return system.matches ? 'dark' : 'light';
}

export function useColorScheme(): 'light' | 'dark' {
  const { appearance } = useAppearance();
  const isDark = useSyncExternalStore(
    (wake) => {
      system.addEventListener('change', wake);
      return () => system.removeEventListener('change', wake);
    },
    () => system.matches,
  );
  if (appearance !== 'auto') return appearance;
  return isDark ? 'dark' : 'light';
}

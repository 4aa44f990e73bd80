/** Handles keys that are not typed into a field. */
import { useEffect } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { placeAt } from '../data/narrow';
import { useShown } from '../dialogs/dialogs';
import { SHORTCUTS } from './shortcuts';

const byKey = new Map(SHORTCUTS.flatMap((shortcut) => shortcut.keys.map((key) => [key, shortcut] as const)));

function nameOf(event: KeyboardEvent): string {
  if (event.ctrlKey || event.metaKey) return `Ctrl+${event.key.length === 1 ? event.key.toUpperCase() : event.key}`;
  if (event.key === ' ') return event.shiftKey ? 'Shift+Space' : 'Space';
  return event.key;
}

/** Whether the focused control uses this key itself. */
function isTaken(target: EventTarget | null, name: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return true;
  if (target.closest('[role="menu"], [role="dialog"], [role="listbox"]')) return true;
  return /^(Enter|Space)$/.test(name) && /^(BUTTON|A)$/.test(target.tagName);
}

export function useKeyboard(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || event.isComposing) return;
      const name = nameOf(event);
      const shortcut = byKey.get(name);
      if (!shortcut || (name !== 'Ctrl+K' && isTaken(event.target, name))) return;
      if (useShown.getState().dialog !== undefined) return;
      event.preventDefault();
      shortcut.run({ narrow: placeAt(location.pathname)?.narrow, go: navigate });
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

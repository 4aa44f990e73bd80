/** Keys move between the rows of a page: j and k, or arrows. Enter follows the focused link by itself. */
import { useEffect, type RefObject } from 'react';
import { useShown } from '../dialogs/dialogs';

const STEPS: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.closest('[role=menu], [role=listbox]') !== null);

export function useRowKeys(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const step = STEPS[event.key];
      const isOther = event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented;
      if (step === undefined || isOther || isField(event.target) || useShown.getState().dialog) return;
      const rows = [...(page.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
      const at = rows.findIndex((row) => row === document.activeElement);
      event.preventDefault();
      rows[at < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + step))]?.focus();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [page]);
}

/** Completions of a text field: looked up while somebody types, chosen with the arrow keys, Tab and Enter. */
import { useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { applyEdit } from './apply-edit';
import { completionsAt, type Completion } from './complete';

const NONE = { completions: [] as readonly Completion[], chosen: 0 };

export function useCompletions(area: RefObject<HTMLTextAreaElement | null>) {
  const [shown, setShown] = useState(NONE);
  /** Keys may be pressed before the newest completions are rendered, and refer to those. */
  const latest = useRef(NONE);
  const show = (next: typeof NONE): void => {
    latest.current = next;
    setShown(next);
  };
  const look = (): void => {
    const element = area.current;
    if (!element) return;
    const textBefore = (): string => element.value.slice(0, element.selectionStart);
    const asked = textBefore();
    void completionsAt(asked).then((found) => {
      // Completions that had to be loaded may arrive after the user typed more.
      if (textBefore() !== asked) return;
      show({ completions: found, chosen: 0 });
    });
  };
  const complete = ({ from, text, note }: Completion): void => {
    const element = area.current;
    if (!element) return;
    note?.();
    const end = from + text.length;
    applyEdit(element, { from, to: element.selectionStart, text, select: [end, end] });
    show(NONE);
  };
  /** Whether the key was meant for the completions. */
  const takes = (event: KeyboardEvent): boolean => {
    const { completions, chosen } = latest.current;
    if (completions.length === 0) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const picked = completions[chosen];
    if (step !== undefined) show({ completions, chosen: (chosen + step + completions.length) % completions.length });
    else if ((event.key === 'Tab' || (event.key === 'Enter' && !event.ctrlKey)) && picked) complete(picked);
    else if (event.key === 'Escape') {
      show(NONE);
      event.stopPropagation();
    } else return false;
    event.preventDefault();
    return true;
  };
  return { ...shown, look, complete, takes, hide: () => show(NONE) };
}

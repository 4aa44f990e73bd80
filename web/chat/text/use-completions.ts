/** Completions of a text field: looked up while somebody types, chosen with the arrow keys, Tab and Enter. */
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { useChat } from '../data/store';
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
  /** Whether somebody types: not once they have chosen, closed the list or left the field. */
  const isWanted = useRef(false);
  const hide = (): void => {
    isWanted.current = false;
    show(NONE);
  };
  const look = (isAgain = false): void => {
    const element = area.current;
    if (!element) return;
    isWanted.current = true;
    const textBefore = (): string => element.value.slice(0, element.selectionStart);
    const asked = textBefore();
    void completionsAt(asked).then((found) => {
      // Completions that had to be loaded may arrive after the user typed more.
      if (textBefore() !== asked || !isWanted.current) return;
      const before = latest.current.completions[latest.current.chosen]?.text;
      show({ completions: found, chosen: Math.max(0, isAgain ? found.findIndex(({ text }) => text === before) : 0) });
    });
  };
  // People may come after the first letters of their names.
  const again = useRef(look);
  again.current = look;
  useEffect(
    () =>
      useChat.subscribe((now, before) => {
        if (now.people !== before.people && isWanted.current) again.current(true);
      }),
    [],
  );
  const complete = ({ from, text, note }: Completion): void => {
    const element = area.current;
    if (!element) return;
    note?.();
    const end = from + text.length;
    applyEdit(element, { from, to: element.selectionStart, text, select: [end, end] });
    hide();
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
      hide();
      event.stopPropagation();
    } else return false;
    event.preventDefault();
    return true;
  };
  return { ...shown, look, complete, takes, hide };
}

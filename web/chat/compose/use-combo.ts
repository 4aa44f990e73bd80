/** What a field with matches does: what is typed in it, and the keys that choose. */
import { useState, type KeyboardEvent } from 'react';
import type { Choice, ComboFieldProps } from './combo-field';

export function useCombo<Value>({ text, find, onPick, onType, onDone, onBackspace }: ComboFieldProps<Value>) {
  const [typed, setTyped] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const isFree = onType !== undefined;
  const none = isFree ? -1 : 0;
  const [chosen, setChosen] = useState(none);
  const choices = isOpen ? find(typed ?? '') : [];
  const hasTyped = typed !== undefined && typed.trim() !== '';
  const pick = (choice: Choice<Value>): void => {
    onPick(choice.value);
    setTyped(undefined);
    setOpen(false);
    setChosen(none);
  };
  const move = (step: number): void => {
    const count = choices.length;
    setOpen(true);
    if (count > 0) setChosen(chosen < 0 ? (step > 0 ? 0 : count - 1) : (chosen + step + count) % count);
  };
  /** Without a typed word, Enter keeps what the field already has. */
  const enter = (): void => {
    const choice = hasTyped || text === '' || chosen !== none ? choices[chosen] : undefined;
    if (choice) pick(choice);
    if (choice || !hasTyped || isFree) onDone(choice !== undefined);
  };
  const type = (next: string): void => {
    setTyped(next);
    setOpen(true);
    setChosen(none);
    onType?.(next);
  };
  /** Keys that do something here, and also what they always do. */
  const pass = (key: string): void => {
    if (key === 'Backspace' && (typed ?? '') === '') onBackspace?.();
    if (key === 'Tab' && hasTyped && choices[chosen]) pick(choices[chosen]);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) move(step);
    else if (isEnter(event)) enter();
    else if (event.key === 'Escape' && choices.length > 0) {
      event.stopPropagation();
      setOpen(false);
    } else return pass(event.key);
    event.preventDefault();
  };
  const leave = (): void => {
    setOpen(false);
    if (isFree || !hasTyped) return setTyped(undefined);
    const found = find(typed);
    const lower = typed.trim().toLowerCase();
    const meant = found.length === 1 ? found[0] : found.find(({ name }) => name.toLowerCase() === lower);
    if (meant) pick(meant);
  };
  return {
    choices,
    chosen,
    shown: (isFree ? undefined : typed) ?? text,
    isUnknown: !isFree && !isOpen && hasTyped,
    open: () => setOpen(true),
    pick,
    type,
    leave,
    onKeyDown,
  };
}

const isEnter = (event: KeyboardEvent): boolean => event.key === 'Enter' && !event.nativeEvent.isComposing;

/**
 * The loaded messages. They are immutable: a change replaces the object and wakes what shows it. No React state, so that
 * the cost of a row does not depend on the number of messages.
 */
import { useCallback, useSyncExternalStore } from 'react';
import type { Message } from './wire';

const messages = new Map<number, Message>();
const listeners = new Map<number, Set<() => void>>();

export const messageById = (id: number): Message | undefined => messages.get(id);

export function putMessage(message: Message): void {
  if (messages.get(message.id) === message) return;
  messages.set(message.id, message);
  wakeRows(message.id);
}

export function changeMessage(id: number, change: (message: Message) => Message): void {
  const message = messages.get(id);
  if (message) putMessage(change(message));
}

export function forgetMessage(id: number): void {
  messages.delete(id);
}

/** Drops messages that no list contains. */
export function keepOnly(ids: ReadonlySet<number>): void {
  for (const id of messages.keys()) {
    if (!ids.has(id) && !listeners.has(id)) messages.delete(id);
  }
}

export const messageCount = (): number => messages.size;

/** For what rows show besides their messages. Those that then show the same are not drawn. */
export function wakeRows(...ids: readonly (number | undefined)[]): void {
  for (const id of ids) {
    if (id !== undefined) for (const wake of listeners.get(id) ?? []) wake();
  }
}

export const wakeAllRows = (): void => wakeRows(...listeners.keys());

export function whenMessageChanges(id: number, wake: () => void): () => void {
  const wakes = listeners.get(id) ?? new Set();
  listeners.set(id, wakes.add(wake));
  return () => {
    wakes.delete(wake);
    if (wakes.size === 0) listeners.delete(id);
  };
}

export function useMessage(id: number): Message | undefined {
  const subscribe = useCallback((wake: () => void) => whenMessageChanges(id, wake), [id]);
  return useSyncExternalStore(subscribe, () => messages.get(id));
}

/** Whether its words were changed: a message that was only moved, or whose topic was renamed, is not edited. */
export const isEdited = ({ last_edit_timestamp: editedAt, edit_history: edits }: Message): boolean =>
  editedAt !== undefined && (edits === undefined || edits.some((each) => each.prev_content !== undefined));

export const asEdited = (at: number) => ({ last_edit_timestamp: at, edit_history: [{ prev_content: '' }] });

export const asMoved = (message: Message, at: number) => ({
  last_edit_timestamp: at,
  ...(isEdited(message) ? {} : { edit_history: [] }),
});

export function withFlag(message: Message, flag: string, isOn: boolean): Message {
  if (message.flags.includes(flag) === isOn) return message;
  return { ...message, flags: isOn ? [...message.flags, flag] : message.flags.filter((each) => each !== flag) };
}

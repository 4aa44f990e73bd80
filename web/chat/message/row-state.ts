/**
 * Everything that a row shows, in one subscription. While somebody scrolls, a dozen rows come and go in every frame: with
 * a subscription for each thing, these cost more than the rows.
 */
import { useMemo, useSyncExternalStore } from 'react';
import { messageById, wakeAllRows, wakeRows, whenMessageChanges } from '../data/messages';
import { chat, useChat } from '../data/store';
import type { Message, Person, Status } from '../data/wire';
import { useShown } from '../dialogs/dialogs';
import { isHidden } from './hidden';
import { useSelection } from '../list/selection';

export interface Row {
  /** None once it has been deleted. */
  readonly message: Message | undefined;
  /** The one above. */
  readonly before: Message | undefined;
  readonly sender: Person | undefined;
  readonly status: Status | undefined;
  /** Because its sender is muted. */
  readonly isHidden: boolean;
  readonly isSelected: boolean;
  readonly isFocused: boolean;
  readonly isEditing: boolean;
  readonly isReacting: boolean;
}

useSelection.subscribe(({ id }, before) => wakeRows(id, before.id));
useShown.subscribe(({ editing, reactingTo }, before) => {
  if (editing !== before.editing) wakeRows(editing, before.editing);
  if (reactingTo !== before.reactingTo) wakeRows(reactingTo, before.reactingTo);
});
useChat.subscribe(({ people, statuses, mutedUsers }, before) => {
  if (people !== before.people || statuses !== before.statuses || mutedUsers !== before.mutedUsers) wakeAllRows();
});

function rowOf(id: number, previous: number | undefined): Row {
  const message = messageById(id);
  const sender = message?.sender_id ?? 0;
  const [selection, shown, { people, statuses }] = [useSelection.getState(), useShown.getState(), chat()];
  return {
    message,
    before: previous === undefined ? undefined : messageById(previous),
    sender: people.get(sender),
    status: statuses.get(sender),
    isHidden: message !== undefined && isHidden(message),
    isSelected: selection.id === id,
    isFocused: selection.id === id && selection.byKey,
    isEditing: shown.editing === id,
    isReacting: shown.reactingTo === id,
  };
}

function isSame(row: Row, other: Row): boolean {
  for (const name in row) if (row[name as keyof Row] !== other[name as keyof Row]) return false;
  return true;
}

function follow(id: number, previous: number | undefined) {
  let row = rowOf(id, previous);
  return {
    subscribe: (wake: () => void) => {
      const stop = whenMessageChanges(id, wake);
      const stopBefore = previous === undefined ? undefined : whenMessageChanges(previous, wake);
      return () => {
        stop();
        stopBefore?.();
      };
    },
    look: () => {
      const now = rowOf(id, previous);
      if (!isSame(now, row)) row = now;
      return row;
    },
  };
}

export function useRow(id: number, previous: number | undefined): Row {
  const { subscribe, look } = useMemo(() => follow(id, previous), [id, previous]);
  return useSyncExternalStore(subscribe, look);
}

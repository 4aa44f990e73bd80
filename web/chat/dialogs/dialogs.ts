/** State of the open dialog, shared by shortcuts and buttons. */
import { create } from 'zustand';

/** Asks when to send the draft, or a scheduled message that has this id, or when to remind of a message, or changes that. */
export type TimeDialogKind =
  | { readonly kind: 'send-later'; readonly id?: number }
  | { readonly kind: 'remind'; readonly messageId: number; readonly reminderId?: number };

export type DialogKind =
  | { readonly kind: 'person' | 'group'; readonly id: number; readonly at?: Element | undefined }
  | { readonly kind: 'history' | 'edit-topic' | 'delete' | 'readers'; readonly messageId: number }
  | { readonly kind: 'move-topic' | 'rename-topic' | 'delete-topic'; readonly streamId: number; readonly topic: string }
  | { readonly kind: 'archive-stream'; readonly streamId: number }
  /** A picture, by its place among those of its message. */
  | { readonly kind: 'viewer'; readonly messageId: number; readonly index: number }
  | TimeDialogKind
  | { readonly kind: 'shortcuts' | 'palette' | 'drafts' | 'date' | 'status' };

interface Shown {
  readonly dialog?: DialogKind | undefined;
  /** The message whose emoji picker is open. */
  readonly reactingTo?: number | undefined;
  /** The message that is being edited in place. */
  readonly editing?: number | undefined;
}

export const useShown = create<Shown>(() => ({}));

export const showDialog = (dialog: DialogKind): void => useShown.setState({ dialog });
export const closeDialog = (): void => useShown.setState({ dialog: undefined });
/** Beside the element, or beside what has the focus. */
const showCard = (kind: 'person' | 'group', id: number, at: Element | null | undefined): void => {
  if (Number.isInteger(id)) showDialog({ kind, id, at: at === document.body ? undefined : (at ?? undefined) });
};
export const showPerson = (id: number, at: Element | null | undefined = document.activeElement): void =>
  showCard('person', id, at);
export const showGroup = (id: number, at: Element | null = document.activeElement): void => showCard('group', id, at);

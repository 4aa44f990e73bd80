/** A user's subscription to a stream, with its settings and its colour. */
import type { UserId } from '../users/user';
import type { StreamId } from './stream';

/** Kinds of notification; null if the user's general setting applies. */
export const NOTIFICATIONS = ['desktop', 'audible', 'push', 'email', 'wildcard'] as const;
export type Notification = (typeof NOTIFICATIONS)[number];

export interface Subscription {
  readonly streamId: StreamId;
  readonly userId: UserId;
  /** False after the user has left. The settings are kept for their return. */
  readonly isActive: boolean;
  /** The first message received. */
  readonly fromId: number;
  /** The last message read. */
  readonly readId: number;
  readonly color: string;
  readonly isMuted: boolean;
  readonly isPinned: boolean;
  readonly notify: Readonly<Record<Notification, boolean | null>>;
}

/** Zulip's palette in its order, which clients show too. Each user has their own colours, assigned until they choose. */
export const COLORS = [
  '76ce90 fae589 a6c7e5 e79ab5 bfd56f f4ae55 b0a5fd addfe5 f5ce6e c2726a 94c849 bd86e5',
  'ee7e4a a6dcbf 95a5fd 53a063 9987e1 e4523d c2c2c2 4f8de4 c6a8ad e7cc4d c8bebf a47462',
].flatMap((line) => line.split(' ').map((color) => `#${color}`));

export const isColor = (text: string): boolean => /^#[0-9a-f]{3,6}$/i.test(text);

/** The first colour that the user does not use. If all are used, they repeat in turn. */
export function pickColor(used: ReadonlyMap<string, number>): string {
  const free = COLORS.find((color) => !used.has(color));
  if (free !== undefined) return free;
  const total = [...used.values()].reduce((sum, count) => sum + count, 0);
  return COLORS[total % COLORS.length]!;
}

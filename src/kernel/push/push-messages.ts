/** What pushes say to the service worker of the pages (web/worker/notices.ts), and to programs with UnifiedPush. */
import type { PushAddress } from './push-address';
import type { PushMessage } from './send-push';

/** A notification: one of each conversation, which replaces the one before it. */
export interface Notice {
  readonly tag: string;
  /** Where the page shows it. */
  readonly path: string;
  readonly title: string;
  readonly body: string;
  /** All that is unread there as far as the device knows. */
  readonly ids: readonly number[];
  readonly badge: number;
  /** The words of the actions that there are. */
  readonly read?: string;
  readonly reply?: string;
}

/** Longer than a day, nobody hurries. */
const KEEP_SECONDS = 86_400;

export const noticePush = (notice: Notice): PushMessage => ({
  payload: { kind: 'message', ...notice },
  subject: notice.tag,
  keepSeconds: KEEP_SECONDS,
  isUrgent: true,
});

export const testPush = (words: { readonly title: string; readonly body: string; readonly path: string }) => ({
  payload: { kind: 'test', tag: 'test', ...words },
  subject: 'test',
  keepSeconds: 60,
  isUrgent: true,
});

/** More than a device shows. */
const MAX_TAGS = 20;

/** Notifications that are over, because all of it was read elsewhere. */
export function readPush(device: PushAddress, tags: readonly string[], badge: number): PushMessage[] {
  // Safari ends the subscriptions of sites that show nothing for a push.
  const isOfApple = new URL(device.endpoint).hostname.endsWith('.push.apple.com');
  if (tags.length === 0 || isOfApple) return [];
  const payload = { kind: 'read', tags: [...new Set(tags)].slice(-MAX_TAGS), badge };
  return [{ payload, subject: 'read', keepSeconds: 3600, isUrgent: false }];
}

/** Three lines fit into a notification. */
export const MAX_LINES = 3;
export const MAX_TITLE = 120;
export const MAX_TEXT = 160;

/** A push service takes 4096 bytes, of which encryption needs some: what is said in it has a greatest length. */
export function clip(text: string, most: number): string {
  const line = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join('')}…`;
}

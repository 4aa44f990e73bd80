/** What a push says to the service worker of the page (web/worker/notices.ts), and to a program with UnifiedPush. */
import { coded } from '../faults';
import { chatWords } from '../texts/chat-words';

/** A message, for whoever does the work of a device. */
export type PushMail =
  | { readonly messageIds: readonly number[] }
  /** Conversations that were read elsewhere. */
  | { readonly readTags: readonly string[] }
  | { readonly isTest: true };

export interface PushLine {
  readonly sender: string;
  readonly text: string;
}

export interface PushedConversation {
  readonly tag: string;
  /** Where the page shows it, from its newest message. */
  readonly path: string;
  /** The stream and topic, or who else is there; empty for a conversation of two. */
  readonly place: string;
  /** Oldest first. */
  readonly lines: readonly PushLine[];
  /** All unread messages that the device knows of. */
  readonly messageIds: readonly number[];
}

/** How much may be said: with `nothing` only that there is a message. */
export type Openness = 'all' | 'no text' | 'nothing';

/** Three lines fit into a notification. */
const MAX_LINES = 3;
const MAX_TITLE = 120;
const MAX_TEXT = 160;
/** Longer ones of conversations of hundreds lead to the list of conversations. */
const MAX_PATH = 600;

/** A push service takes 4096 bytes, of which encryption needs some; all of this at its longest is below that. */
export function conversationPayload(
  { tag, path, place, lines, messageIds }: PushedConversation,
  { openness, language, badge }: { readonly openness: Openness; readonly language: string; readonly badge: number },
): object {
  const { say } = chatWords(language);
  const shown = lines.slice(-MAX_LINES);
  const sender = shown.at(-1)?.sender ?? '';
  const isOne = shown.every((line) => line.sender === sender);
  const said = shown.map((line) => clip(isOne ? line.text : `${line.sender}: ${line.text}`, MAX_TEXT)).join('\n');
  const isHidden = openness === 'nothing';
  return {
    kind: 'message',
    tag,
    path: path.length <= MAX_PATH ? path : '/private',
    title: isHidden ? say('push.message') : clip(place === '' ? sender : `${sender} (${place})`, MAX_TITLE),
    body: openness === 'all' ? said : isHidden ? '' : say('push.message'),
    ids: messageIds,
    badge,
    read: say('push.read'),
    reply: say('push.reply'),
  };
}

export const readPayload = (tags: readonly string[], badge: number): object => ({ kind: 'read', tags, badge });

export const testPayload = (language: string): object => {
  const { say } = chatWords(language);
  return { kind: 'test', tag: 'test', title: say('push.test'), body: say('push.testBody'), path: '/' };
};

function clip(text: string, most: number): string {
  const line = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join('')}…`;
}

/** What the page calls a conversation: the same there (web/chat/notices/push-tag.ts). */
export const streamTag = (streamId: number, topic: string): string => `s:${streamId}:${topic.toLowerCase()}`;
export const privateTag = (recipientId: number): string => `r:${recipientId}`;

export const noSuchDevice = () => coded('invalid', 'NO_SUCH_PUSH_DEVICE', 'There is no such device');
export const pushesAreOff = () => coded('invalid', 'PUSHES_ARE_OFF', 'This server sends no push notifications');
export const badPushAddress = (field: string) =>
  coded('invalid', 'BAD_PUSH_ADDRESS', `${field} is not that of a device which this server may reach`);
export const deviceGone = () =>
  coded('invalid', 'PUSH_DEVICE_GONE', 'The push service no longer knows this device. Turn notifications on again.');
export const pushRefused = (reason: string) =>
  coded('invalid', 'PUSH_REFUSED', `The push service did not take it: ${reason}`);

/** What a push says of a conversation, to the service worker of the page and to programs with UnifiedPush. */
import { clip, MAX_LINES, MAX_TEXT, MAX_TITLE, type Notice } from '../../../kernel/push/push-messages';
import { chatWords } from '../texts/chat-words';

/** Messages that somebody missed, for whoever does the work of a device. */
export interface PushNews {
  readonly messageIds: readonly number[];
}

export interface PushLine {
  readonly sender: string;
  readonly text: string;
}

export interface PushedConversation {
  /** Where the page shows it, from its newest message. */
  readonly path: string;
  /** The stream and topic, or who else is there; empty for a conversation of two. */
  readonly place: string;
  /** Oldest first. */
  readonly lines: readonly PushLine[];
}

/** How much may be said: with `nothing` only that there is a message. */
export type Openness = 'all' | 'no text' | 'nothing';

/** Longer ones of conversations of hundreds lead to the list of conversations. */
const MAX_PATH = 600;

export function conversationNotice(
  { path, place, lines }: PushedConversation,
  { openness, language }: { readonly openness: Openness; readonly language: string },
): Omit<Notice, 'badge' | 'ids' | 'tag'> {
  const { say } = chatWords(language);
  const shown = lines.slice(-MAX_LINES);
  const sender = shown.at(-1)?.sender ?? '';
  const isOne = shown.every((line) => line.sender === sender);
  const said = shown.map((line) => clip(isOne ? line.text : `${line.sender}: ${line.text}`, MAX_TEXT)).join('\n');
  const isHidden = openness === 'nothing';
  return {
    path: path.length <= MAX_PATH ? path : '/private',
    title: isHidden ? say('push.message') : clip(place === '' ? sender : `${sender} (${place})`, MAX_TITLE),
    body: openness === 'all' ? said : isHidden ? '' : say('push.message'),
    read: say('push.read'),
    reply: say('push.reply'),
  };
}

export function testWords(language: string) {
  const { say } = chatWords(language);
  return { title: say('push.test'), body: say('push.testBody'), path: '/' };
}

/** What the page calls a conversation: the same there (web/chat/notices/push-tag.ts). */
export const streamTag = (streamId: number, topic: string): string => `s:${streamId}:${topic.toLowerCase()}`;
export const privateTag = (recipientId: number): string => `r:${recipientId}`;

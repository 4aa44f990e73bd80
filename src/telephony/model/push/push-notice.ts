/** How a push says that texts or a fax came in. */
import { clip, MAX_LINES, MAX_TEXT, MAX_TITLE, type Notice } from '../../../kernel/push/push-messages';
import type { FaxId } from '../files/fax';
import type { ConversationId } from '../texting/texting';
import { telephonyWords } from '../texts/telephony-words';

export interface UnreadText {
  /** Its position among the texts that came in. */
  readonly id: number;
  readonly conversationId: ConversationId;
  /** The name of whoever sent it, or the number. */
  readonly sender: string;
  /** Empty for a picture alone. */
  readonly text: string;
}

export interface UnreadFax {
  readonly id: number;
  readonly faxId: FaxId;
  readonly sender: string;
  readonly subject: string;
  readonly pages: number;
}

export type PushItem = UnreadFax | UnreadText;

interface Manner {
  readonly language: string;
  /** Whether the company lets pushes say who wrote what. */
  readonly mayTell: boolean;
}

type Said = Omit<Notice, 'badge' | 'ids' | 'tag'>;

/** Of one fax, or of texts of one conversation, the oldest first. */
export function noticeOf(items: readonly PushItem[], manner: Manner): Said {
  const newest = items.at(-1)!;
  return 'faxId' in newest ? faxNotice(newest, manner) : textNotice(items as readonly UnreadText[], manner);
}

function faxNotice({ faxId, sender, subject, pages }: UnreadFax, { language, mayTell }: Manner): Said {
  const { say } = telephonyWords(language);
  const more = { path: `/portal/texting/faxes/${faxId}`, read: say('push.read') };
  if (!mayTell) return { title: say('push.fax'), body: '', ...more };
  const parts = [subject, say('push.pages', { count: pages })].filter((part) => part !== '');
  const title = clip(say('push.faxFrom', { name: sender }), MAX_TITLE);
  return { title, body: clip(parts.join(' · '), MAX_TEXT), ...more };
}

function textNotice(texts: readonly UnreadText[], { language, mayTell }: Manner): Said {
  const { say } = telephonyWords(language);
  const { conversationId, sender } = texts.at(-1)!;
  const more = { path: `/portal/texting/${conversationId}`, read: say('push.read'), reply: say('push.reply') };
  if (!mayTell) return { title: say('push.text'), body: '', ...more };
  const lines = texts.slice(-MAX_LINES).map(({ text }) => clip(text, MAX_TEXT) || say('push.attachment'));
  return { title: clip(sender, MAX_TITLE), body: lines.join('\n'), ...more };
}

export function testWords(language: string) {
  const { say } = telephonyWords(language);
  return { title: say('push.test'), body: say('push.testBody'), path: '/portal/account' };
}

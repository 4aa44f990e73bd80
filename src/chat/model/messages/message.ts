/** A message, its limits, and what is known of it besides its words. */
import type { RealmId } from '../organisation/realm';
import type { UserId } from '../users/user';

declare const message: unique symbol;
export type MessageId = number & { readonly [message]: true };

/** Limits of the specification. */
export const MOST_CONTENT_BYTES = 10_000;
export const MOST_TOPIC_CHARACTERS = 60;

/** Bits of chat_messages.traits. */
export const TRAITS = {
  link: 1,
  image: 2,
  attachment: 4,
  me: 8,
  wildcard: 16,
  /** The sender's own copy counts as read: sent from a program in which a person sees it. */
  senderRead: 32,
} as const;

export interface Message {
  readonly realmId: RealmId;
  readonly id: MessageId;
  readonly recipientId: number;
  readonly topicId: number | null;
  readonly senderId: UserId;
  readonly topic: string;
  readonly content: string;
  readonly rendered: string;
  readonly client: string;
  readonly traits: number;
  readonly sentAt: number;
  readonly editedAt: number | null;
  readonly edits: readonly Edit[];
  /** What its submessages add to an answer; 0 for nearly every message. */
  readonly submessageBytes: number;
}

/** One change, newest first in a message's list; what it was before. */
export interface Edit {
  readonly user_id: UserId;
  readonly timestamp: number;
  readonly prev_subject?: string;
  readonly prev_content?: string;
  readonly prev_rendered_content?: string;
}

/** Flags other than read are rows, only where they are set. The numbers are chat_flags.flag. */
export const FLAGS = { starred: 1, collapsed: 2, mentioned: 3, wildcard_mentioned: 4, has_alert_word: 5 } as const;
export type FlagName = keyof typeof FLAGS;

/** In the order in which they go onto the wire, after `read`. */
export const FLAG_NAMES = Object.keys(FLAGS) as readonly FlagName[];

/** Programs in which the sender sees what they send. */
const HUMAN_CLIENTS = new Set(
  [
    'website',
    'ZulipMobile',
    'ZulipElectron',
    'ZulipDesktop',
    'ZulipTerminal',
    'ZulipAndroid',
    'ZulipiOS',
    'ios',
    'android',
    'snipe',
  ].map((name) => name.toLowerCase()),
);
export const isHumanClient = (client: string): boolean =>
  HUMAN_CLIENTS.has(client.toLowerCase()) || client.toLowerCase().includes('desktop app');

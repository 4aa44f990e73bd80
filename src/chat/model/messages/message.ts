/** A message, its limits, and its traits and flags. */
import type { RealmId } from '../organisation/realm';
import type { UserId } from '../users/user';

declare const message: unique symbol;
export type MessageId = number & { readonly [message]: true };

/** Limits of the specification. */
export const MAX_CONTENT_BYTES = 10_000;
export const MAX_TOPIC_CHARACTERS = 60;

/** The topic of messages sent without one. Anyone may change it. */
export const NO_TOPIC = '(no topic)';

/** Bits of chat_messages.traits. */
export const TRAITS = {
  link: 1,
  image: 2,
  attachment: 4,
  me: 8,
  wildcard: 16,
  /** The sender's own copy counts as read, because they see it in the client that sent it. */
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
  /** Bytes that its submessages add to a response; 0 for nearly every message. */
  readonly submessageBytes: number;
}

/** One edit, with the previous values. A message lists its edits newest first. */
export interface Edit {
  readonly user_id: UserId;
  readonly timestamp: number;
  readonly prev_subject?: string;
  /** As Zulip spells it since 4.0. */
  readonly prev_topic?: string;
  readonly topic?: string;
  /** Ids, if the message moved to another stream. */
  readonly prev_stream?: number;
  readonly stream?: number;
  readonly prev_content?: string;
  readonly prev_rendered_content?: string;
}

/** Flags other than read are rows, which exist only if set. The numbers are chat_flags.flag. */
export const FLAGS = { starred: 1, collapsed: 2, mentioned: 3, wildcard_mentioned: 4, has_alert_word: 5 } as const;
export type FlagName = keyof typeof FLAGS;

/** Those that mention somebody: by name, or as one of who takes part in the topic. */
export const MENTIONS: readonly number[] = [FLAGS.mentioned, FLAGS.wildcard_mentioned];

/** In their order on the wire, after `read`. */
export const FLAG_NAMES = Object.keys(FLAGS) as readonly FlagName[];

/** Clients in which the sender sees the sent message. */
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

/** A queue's filters, and which events pass them. */
import { exactEmail } from '../../../kernel/secrets/email-key';
import { badRequest } from '../faults';
import { profileOf, type ProfileName } from '../profiles/profiles';
import type { AudienceMember } from './audience';
import type { EntryHead, MessageHead } from './event';

export interface QueueFilters {
  /** Null for every type. */
  readonly eventTypes: readonly string[] | null;
  readonly narrow: readonly (readonly [string, string])[];
  readonly allPublicStreams: boolean;
  readonly wantsHtml: boolean;
  readonly computesAvatars: boolean;
  readonly includeSubscribers: boolean;
  /** Whether the client knows archived streams. A queue of an earlier release does not say. */
  readonly knowsArchive?: boolean | undefined;
  /** The generation of the client. A queue of an earlier release does not say. */
  readonly profile?: ProfileName | undefined;
  readonly hearsStreamTyping?: boolean | undefined;
  readonly hearsEachEmoji?: boolean | undefined;
}

const OPERATORS = new Set(['stream', 'topic', 'sender', 'is']);

export function checkNarrow(narrow: readonly (readonly [string, string])[]): void {
  for (const [operator] of narrow)
    if (!OPERATORS.has(operator)) throw badRequest(`Operator ${operator} not supported.`);
}

const MAX_EVENTS = 1000;
const MAX_CHARACTERS = 1_000_000;
/** A stream buffers what its client has not read yet, so it takes less at a time. */
export const MAX_STREAMED_CHARACTERS = 65_536;

/** Whether a response with this much content is full. */
export const isFull = (events: number, characters: number, most = MAX_CHARACTERS): boolean =>
  events >= MAX_EVENTS || characters > most;

/** Matches an entry against a queue: null if it does not match, otherwise the flags to send with it. */
export function matchEntry(
  head: EntryHead,
  filters: QueueFilters,
  isInAudience: boolean,
  user: AudienceMember,
): readonly string[] | null {
  if (!passesType(head, filters)) return null;
  if (!head.message) return isInAudience ? NO_FLAGS : null;
  // A narrowed queue also receives public streams that match its narrow, except for guests.
  const seesAsPublic =
    head.message.isPublic && user.role !== 'guest' && (filters.allPublicStreams || filters.narrow.length > 0);
  if (!isInAudience && !seesAsPublic) return null;
  const flags = isInAudience ? flagsFor(head.message, user) : NO_FLAGS;
  return passesNarrow(head.message, filters.narrow, flags) ? flags : null;
}

/** Called for every queue and event: it reads only what it must. */
function passesType(head: EntryHead, filters: QueueFilters): boolean {
  const { eventTypes } = filters;
  if (eventTypes !== null && !eventTypes.includes(profileOf(filters.profile).typeOf(head.type))) return false;
  if (head.message !== undefined) return true;
  if (head.isForStreamTyping && filters.hearsStreamTyping !== true) return false;
  if (head.isForToday && filters.profile !== 'zulip-today') return false;
  return head.isForArchive === undefined || head.isForArchive === (filters.knowsArchive ?? false);
}

const NO_FLAGS: readonly string[] = [];
const WILDCARD: readonly string[] = ['wildcard_mentioned'];

function flagsFor(message: MessageHead, user: AudienceMember): readonly string[] {
  const own = message.flags[user.id];
  if (!message.isWildcard) return own ?? NO_FLAGS;
  return own ? [...own, ...WILDCARD] : WILDCARD;
}

function passesNarrow(message: MessageHead, narrow: QueueFilters['narrow'], flags: readonly string[]): boolean {
  return narrow.every(([operator, operand]) => {
    const wanted = operand.toLowerCase();
    switch (operator) {
      case 'stream':
        return message.streamName?.toLowerCase() === wanted;
      case 'topic':
        return message.topic?.toLowerCase() === wanted;
      case 'sender':
        return message.sender === exactEmail(operand);
      default:
        return passesIs(message, operand, flags);
    }
  });
}

function passesIs(message: MessageHead, operand: string, flags: readonly string[]): boolean {
  switch (operand) {
    case 'private':
      return message.streamId === undefined;
    case 'starred':
      return flags.includes('starred');
    case 'unread':
      return !flags.includes('read');
    case 'alerted':
    case 'mentioned':
      return flags.includes('mentioned');
    default:
      // Zulip also ignores unknown operands.
      return true;
  }
}

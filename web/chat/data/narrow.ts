/** A narrow is what a view shows. It has a key, a path and API terms, and can be matched against a message. */
import type { Message } from './wire';
import { parseSearch } from './search-terms';

export type Narrow =
  /** `recent` has all messages, but is shown as a list of conversations. */
  | { readonly kind: 'all' | 'mentions' | 'starred' | 'privates' | 'recent' }
  | { readonly kind: 'stream'; readonly streamId: number }
  | { readonly kind: 'topic'; readonly streamId: number; readonly topic: string }
  /** The other people, sorted by id; only oneself for notes to oneself. */
  | { readonly kind: 'private'; readonly userIds: readonly number[] }
  | { readonly kind: 'search'; readonly query: string };

export interface Term {
  readonly operator: string;
  readonly operand: string | number | readonly number[];
  readonly negated?: boolean;
}

export const keyOf = (narrow: Narrow): string => pathOf(narrow).toLowerCase();

export function pathOf(narrow: Narrow, near?: number): string {
  const path = plainPathOf(narrow);
  return near === undefined ? path : `${path}/near/${near}`;
}

function plainPathOf(narrow: Narrow): string {
  switch (narrow.kind) {
    case 'all':
    case 'mentions':
    case 'recent':
    case 'starred':
      return `/${narrow.kind}`;
    case 'privates':
      return '/private';
    case 'stream':
      return `/stream/${narrow.streamId}`;
    case 'topic':
      return `/stream/${narrow.streamId}/topic/${encodeURIComponent(narrow.topic)}`;
    case 'private':
      return `/private/${narrow.userIds.join(',')}`;
    case 'search':
      return `/search/${encodeURIComponent(narrow.query)}`;
  }
}

export interface Place {
  readonly narrow: Narrow;
  readonly near?: number;
}

/** Undefined if the path is not a view. */
export function placeAt(path: string): Place | undefined {
  const match = /^(.*?)(?:\/near\/(\d+))?\/?$/.exec(path)!;
  const narrow = narrowAt(match[1]!);
  if (narrow === undefined) return undefined;
  return match[2] === undefined ? { narrow } : { narrow, near: Number(match[2]) };
}

const PLAIN: Readonly<Record<string, Narrow>> = {
  '/all': { kind: 'all' },
  '/private': { kind: 'privates' },
  '/mentions': { kind: 'mentions' },
  '/recent': { kind: 'recent' },
  '/starred': { kind: 'starred' },
};

function narrowAt(path: string): Narrow | undefined {
  const topic = /^\/stream\/(\d+)\/topic\/(.+)$/.exec(path);
  if (topic) return { kind: 'topic', streamId: Number(topic[1]), topic: decode(topic[2]!) };
  const stream = /^\/stream\/(\d+)$/.exec(path);
  if (stream) return { kind: 'stream', streamId: Number(stream[1]) };
  const people = /^\/private\/(\d+(?:,\d+)*)$/.exec(path);
  if (people) return { kind: 'private', userIds: people[1]!.split(',').map(Number) };
  const search = /^\/search\/(.+)$/.exec(path);
  if (search) return { kind: 'search', query: decode(search[1]!) };
  return PLAIN[path];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function termsOf(narrow: Narrow): readonly Term[] {
  switch (narrow.kind) {
    case 'all':
      return [{ operator: 'in', operand: 'home' }];
    case 'mentions':
      return [{ operator: 'is', operand: 'mentioned' }];
    case 'starred':
      return [{ operator: 'is', operand: 'starred' }];
    case 'recent':
      return [];
    case 'privates':
      return [{ operator: 'is', operand: 'private' }];
    case 'stream':
      return [{ operator: 'stream', operand: narrow.streamId }];
    case 'topic':
      return [
        { operator: 'stream', operand: narrow.streamId },
        { operator: 'topic', operand: narrow.topic },
      ];
    case 'private':
      return [{ operator: 'pm-with', operand: narrow.userIds }];
    case 'search':
      return parseSearch(narrow.query);
  }
}

/** The people of a private message without oneself, or oneself for notes to oneself. */
export function othersIn(message: Pick<Message, 'display_recipient'>, ownId: number): readonly number[] {
  if (typeof message.display_recipient === 'string') return [];
  const ids = message.display_recipient.map(({ id }) => id).sort((a, b) => a - b);
  const others = ids.filter((id) => id !== ownId);
  return others.length > 0 ? others : ids;
}

export function conversationOf(message: Message, ownId: number): Narrow {
  return message.type === 'stream'
    ? { kind: 'topic', streamId: message.stream_id!, topic: message.subject }
    : { kind: 'private', userIds: othersIn(message, ownId) };
}

export const isMentioned = (flags: readonly string[]): boolean =>
  flags.includes('mentioned') || flags.includes('wildcard_mentioned');

export interface Surroundings {
  readonly ownId: number;
  readonly isMuted: (streamId: number, topic: string) => boolean;
}

const isAtHome = ({ type, stream_id, subject }: Message, isMuted: Surroundings['isMuted']): boolean =>
  type === 'private' || !isMuted(stream_id!, subject);

/** Whether a message belongs to the view. Searches never match, because only the server can evaluate them. */
export function matches(narrow: Narrow, message: Message, { ownId, isMuted }: Surroundings): boolean {
  switch (narrow.kind) {
    case 'all':
      return isAtHome(message, isMuted);
    case 'recent':
      return true;
    case 'mentions':
      return isMentioned(message.flags);
    case 'starred':
      return message.flags.includes('starred');
    case 'privates':
      return message.type === 'private';
    case 'stream':
      return message.stream_id === narrow.streamId;
    case 'topic':
      return message.stream_id === narrow.streamId && message.subject.toLowerCase() === narrow.topic.toLowerCase();
    case 'private':
      return message.type === 'private' && othersIn(message, ownId).join() === narrow.userIds.join();
    case 'search':
      return false;
  }
}

/**
 * Resolves links in messages to views: our own paths, and Zulip's, of 2.1 (`/#narrow/stream/5-general/topic/x/near/12`)
 * and of today (`#narrow/channel/5-general/topic/x/with/12`).
 */
import { pathOf, placeAt, type Narrow } from './narrow';
import { chat } from './store';

export interface LinkTarget {
  readonly path: string;
  /** A message of the topic: if that was moved or renamed since, the message tells where. */
  readonly messageId?: number;
}

/** The path of the view; undefined if the link leads elsewhere. */
export const pathOfLink = (href: string): string | undefined => targetOfLink(href)?.path;

export function targetOfLink(href: string): LinkTarget | undefined {
  const hash = href.search(/#(narrow\/|scheduled$)/);
  const origin = hash < 0 ? '' : href.slice(0, hash).replace(/\/$/, '');
  if (hash >= 0 && (origin === '' || origin === location.origin)) return targetOfHash(href.slice(hash));
  const path = href.startsWith(`${location.origin}/`) ? href.slice(location.origin.length) : href;
  return /^\/(stream|private|search|mentions|starred|all)(\/|$)/.test(path) && placeAt(path) ? { path } : undefined;
}

export function targetOfHash(hash: string): LinkTarget | undefined {
  const [first, ...parts] = hash.replace(/^#/, '').split('/');
  if (first === 'scheduled') return { path: '/scheduled' };
  if (first !== 'narrow') return undefined;
  const operands = new Map<string, string>();
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const operator = parts[at]!;
    operands.set(TODAY[operator] ?? operator, decodeOperand(parts[at + 1]!));
  }
  const narrow = narrowFrom(operands);
  if (!narrow) return undefined;
  const near = idIn(operands.get('near') ?? operands.get('id'));
  const messageId = narrow.kind === 'topic' ? (idIn(operands.get('with')) ?? near) : undefined;
  return { path: pathOf(narrow, near), ...(messageId !== undefined && { messageId }) };
}

/** What operators are called today, with their names in 2.1. */
const TODAY: Readonly<Record<string, string>> = { channel: 'stream', dm: 'pm-with', subject: 'topic' };

const idIn = (text = ''): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined);

/** Zulip writes dots instead of the percent signs of an encoded operand. */
function decodeOperand(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('.', '%'));
  } catch {
    return text;
  }
}

function narrowFrom(operands: ReadonlyMap<string, string>): Narrow | undefined {
  const streamId = streamIn(operands.get('stream'));
  const topic = operands.get('topic');
  if (streamId > 0) return topic === undefined ? { kind: 'stream', streamId } : { kind: 'topic', streamId, topic };
  const userIds = peopleIn(operands.get('pm-with'));
  if (userIds.length > 0) return { kind: 'private', userIds };
  const is = operands.get('is');
  if (is === 'starred') return { kind: 'starred' };
  if (is === 'mentioned') return { kind: 'mentions' };
  if (is === 'private' || is === 'dm') return { kind: 'privates' };
  return undefined;
}

/** `5-general`, or the name alone, with dashes in place of spaces. */
function streamIn(operand = ''): number {
  const id = Number.parseInt(operand, 10);
  const { streams } = chat();
  if (streams.has(id)) return id;
  const named = [...streams.values()].find(({ name }) => name === operand || name.replaceAll(' ', '-') === operand);
  return named?.stream_id ?? id;
}

/** `2,7-group` or `7-Max-Member`. The path of a conversation names the others, in order. */
function peopleIn(operand = ''): readonly number[] {
  const [ids] = operand.split('-');
  if (ids === undefined || !/^\d+(,\d+)*$/.test(ids)) return [];
  const all = [...new Set(ids.split(',').map(Number))].sort((a, b) => a - b);
  const others = all.filter((id) => id !== chat().ownId);
  return others.length > 0 ? others : all;
}

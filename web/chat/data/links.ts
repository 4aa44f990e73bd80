/** Resolves links in messages to views: Zulip's `/#narrow/stream/5-general/topic/x/near/12`, and our own paths. */
import { pathOf, placeAt, type Narrow } from './narrow';

/** The path of the view; undefined if the link leads elsewhere. */
export function pathOfLink(href: string): string | undefined {
  const hash = href.indexOf('#narrow/');
  const origin = hash < 0 ? '' : href.slice(0, hash).replace(/\/$/, '');
  if (hash >= 0 && (origin === '' || origin === location.origin)) return pathOfHash(href.slice(hash));
  const path = href.startsWith(`${location.origin}/`) ? href.slice(location.origin.length) : href;
  return /^\/(stream|private|search|mentions|starred|all)(\/|$)/.test(path) && placeAt(path) ? path : undefined;
}

export function pathOfHash(hash: string): string | undefined {
  const [, ...parts] = hash.replace(/^#/, '').split('/');
  const operands = new Map<string, string>();
  for (let at = 0; at + 1 < parts.length; at += 2) operands.set(parts[at]!, decodeOperand(parts[at + 1]!));
  const narrow = narrowFrom(operands);
  const near = operands.get('near') ?? operands.get('id');
  return narrow && pathOf(narrow, near !== undefined && /^\d+$/.test(near) ? Number(near) : undefined);
}

/** Zulip writes dots instead of the percent signs of an encoded operand. */
function decodeOperand(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('.', '%'));
  } catch {
    return text;
  }
}

function narrowFrom(operands: ReadonlyMap<string, string>): Narrow | undefined {
  const streamId = Number.parseInt(operands.get('stream') ?? '', 10);
  const topic = operands.get('topic') ?? operands.get('subject');
  if (streamId > 0) return topic === undefined ? { kind: 'stream', streamId } : { kind: 'topic', streamId, topic };
  const people = operands.get('pm-with')?.split('-')[0];
  if (people !== undefined && /^[\d,]+$/.test(people))
    return { kind: 'private', userIds: people.split(',').map(Number) };
  const is = operands.get('is');
  if (is === 'starred') return { kind: 'starred' };
  if (is === 'mentioned') return { kind: 'mentions' };
  if (is === 'private') return { kind: 'privates' };
  return undefined;
}

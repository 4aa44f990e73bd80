/** !avatar(address) and !gravatar(address): a user's avatar within the text. */
import type { MarkdownIt, StateInline } from 'markdown-it';
import { execAt } from '../boundary';
import { findAddressee, renderingOf } from '../rendering';

const AVATAR = /!(?:gr)?avatar\(([^)\n]*)\)/y;
/** Only email addresses are allowed: a path could lead anywhere on this server. */
const ADDRESS = /^[^\s@/\p{Cs}]{1,64}@[^\s@/\p{Cs}]{1,190}$/u;

/** The email address between the parentheses; undefined if there is none. */
export function addressIn(written: string): string | undefined {
  const address = written.trim().toLowerCase();
  return ADDRESS.test(address) ? address : undefined;
}

function readAvatar(state: StateInline): boolean {
  if (state.src[state.pos] !== '!') return false;
  const match = execAt(AVATAR, state.src, state.pos);
  const address = match ? addressIn(match[1]!) : undefined;
  if (address === undefined) return false;
  const who = findAddressee(renderingOf(state.env), address)?.id ?? encodeURIComponent(address).replace('%40', '@');
  state.push('avatar', 'img', 0).attrs = [
    ['alt', address],
    ['class', 'message_body_gravatar'],
    ['src', `/avatar/${who}?s=30`],
    ['title', address],
  ];
  state.pos = AVATAR.lastIndex;
  return true;
}

export function avatarsPlugin(md: MarkdownIt): void {
  md.inline.ruler.before('link', 'avatar', readAvatar);
}

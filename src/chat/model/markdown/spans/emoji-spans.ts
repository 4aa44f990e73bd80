/** :names:, Unicode emoji and, if enabled, emoticons. Unknown names stay text. */
import type { MarkdownIt, StateInline } from 'markdown-it';
import { execAt, isWordCharacter } from '../boundary';
import { emojiByCode, emojiByName, ZULIP_EMOJI, type Emoji } from '../emoji';
import { findRealmEmoji, renderingOf } from '../rendering';

const NAME = /:([\w+-]+):/y;
const SIGN = /[\u203c\u2049\u2300-\u27bf\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299\u{1f100}-\u{1ffff}]/uy;
/** The character under a keycap is already pending text when the keycap is reached. */
const CAPPED = /[0-9#*]\ufe0f?$/;
const EMOTICON = /:\)|\(:|:\(|<3|:\||:\/|;\)/y;

/** The emoticons of Zulip 2.1, with its names. */
const EMOTICONS: Readonly<Record<string, string>> = {
  ':)': 'slight_smile',
  '(:': 'slight_smile',
  ':(': 'frown',
  '<3': 'heart',
  ':|': 'expressionless',
  ':/': 'confused',
  ';)': 'wink',
};

function readName(state: StateInline): boolean {
  if (state.src[state.pos] !== ':') return false;
  const name = execAt(NAME, state.src, state.pos)?.[1];
  if (name === undefined || !(pushRealmEmoji(state, name) || pushNamed(state, name))) return false;
  state.pos = NAME.lastIndex;
  return true;
}

function pushRealmEmoji(state: StateInline, name: string): boolean {
  const emoji = findRealmEmoji(renderingOf(state.env), name) ?? (name === ZULIP_EMOJI.name ? ZULIP_EMOJI : undefined);
  if (!emoji) return false;
  state.push('realm_emoji', 'img', 0).attrs = [
    ['alt', `:${name}:`],
    ['class', 'emoji'],
    ['src', emoji.url],
    ['title', name.replaceAll('_', ' ')],
  ];
  return true;
}

function pushNamed(state: StateInline, name: string): boolean {
  const emoji = emojiByName(name);
  if (emoji) pushEmoji(state, emoji, name);
  return emoji !== undefined;
}

function pushEmoji(state: StateInline, { code }: Emoji, name: string): void {
  const title = name.replaceAll('_', ' ');
  state.push('emoji_open', 'span', 1).attrs = [
    ['aria-label', title],
    ['class', `emoji emoji-${code}`],
    ['role', 'img'],
    ['title', title],
  ];
  state.push('text', '', 0).content = `:${name}:`;
  state.push('emoji_close', 'span', -1);
}

function readUnicode(state: StateInline): boolean {
  const { src, pos } = state;
  const sequence = execAt(SIGN, src, pos)?.[0];
  const emoji = sequence === undefined ? undefined : emojiByCode(codeOf(sequence));
  if (!emoji) return false;
  pushEmoji(state, emoji, emoji.name);
  state.pos = pos + sequence!.length;
  // Skips the variation selector, which asks for the emoji form.
  if (src[state.pos] === '\ufe0f') state.pos += 1;
  return true;
}

function readKeycap(state: StateInline): boolean {
  const capped = state.src[state.pos] === '\u20e3' ? CAPPED.exec(state.pending)?.[0] : undefined;
  const emoji = capped === undefined ? undefined : emojiByCode(codeOf(`${capped}\u20e3`));
  if (!emoji) return false;
  state.pending = state.pending.slice(0, -capped!.length);
  pushEmoji(state, emoji, emoji.name);
  state.pos += 1;
  return true;
}

const codeOf = (sequence: string): string =>
  Array.from(sequence.replaceAll('\ufe0f', ''), (sign) => sign.codePointAt(0)!.toString(16).padStart(4, '0')).join('-');

function readEmoticon(state: StateInline): boolean {
  const { src, pos } = state;
  if (!renderingOf(state.env).context.translateEmoticons) return false;
  const emoticon = execAt(EMOTICON, src, pos)?.[0];
  if (emoticon === undefined || isWordCharacter(src[pos - 1]) || isWordCharacter(src[pos + emoticon.length]))
    return false;
  pushNamed(state, EMOTICONS[emoticon]!);
  state.pos = pos + emoticon.length;
  return true;
}

export function emojiPlugin(md: MarkdownIt): void {
  md.inline.ruler.push('emoji', readName);
  md.inline.ruler.push('emoticon', readEmoticon);
  md.inline.ruler.push('unicode_emoji', readUnicode);
  md.inline.ruler.push('keycap', readKeycap);
}

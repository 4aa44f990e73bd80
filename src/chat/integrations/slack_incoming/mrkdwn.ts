/** Converts Slack's markup, which it calls mrkdwn, and its rich text. */
import { fenceAround, quote } from '../git-text';
import { joined, linkTo } from '../text';
import { lookUp, type Payload } from '../payload';

/** Code, which contains no markup. */
const CODE = /(```[\s\S]*?```|`[^`\n]+`)/;

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Slack's texts must escape these three characters. */
export const unescaped = (text: string): string => text.replace(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity]!);

export const markdownOf = (text: string): string =>
  text
    .split(CODE)
    .map((part, index) => unescaped(index % 2 === 0 ? converted(part) : fenced(part)))
    .join('');

/** Slack needs no line of its own for a fence. */
const fenced = (code: string): string =>
  code.startsWith('```') ? `\n\`\`\`\n${code.slice(3, -3).replace(/^\n|\n$/g, '')}\n\`\`\`\n` : code;

/** *bold*, _emphasis_, ~strikethrough~, <url|text> and mentions. */
function converted(text: string): string {
  return text
    .replace(/<((?:https?|mailto):[^|<>\s]+)\|([^<>]+)>/g, '[$2]($1)')
    .replace(/<((?:https?|mailto):[^|<>\s]+)>/g, '$1')
    .replace(/<([@#!])([^<>|]+)(?:\|([^<>]*))?>/g, (_, sign: string, id: string, label = '') => named(sign, id, label))
    .replace(/(^|[\s(])\*([^*\n]+)\*(?=$|[\s).,!?:;])/g, '$1**$2**')
    .replace(/(^|[\s(])_([^_\n]+)_(?=$|[\s).,!?:;])/g, '$1*$2*')
    .replace(/(^|[\s(])~([^~\n]+)~(?=$|[\s).,!?:;])/g, '$1~~$2~~');
}

const EVERYBODY = '@**all**';

/** Names of Slack's people, channels and groups; a date is its label. Slack's ids say nothing here. */
function named(sign: string, id: string, label: string): string {
  if (sign !== '!') return `${sign}${label === '' ? id : label.replace(/^[@#]/, '')}`;
  if (['here', 'channel', 'everyone'].includes(id)) return EVERYBODY;
  return label === '' ? `@${id.replace(/^subteam\^/, '')}` : label;
}

/** The address if it is one of http or https; empty otherwise. Services write invalid ones too, such as `null`. */
function webAddress(written: string): string {
  const address = written.trim().replace(/\s/g, encodeURIComponent);
  return /^https?:\/\//i.test(address) && URL.canParse(address) ? address : '';
}

/** The text alone if there is no address to link. */
export function linked(text: string, written: string): string {
  return text === '' ? '' : linkTo(text, webAddress(written));
}

/** Empty without an address. */
export const picture = (text: string, written: string): string =>
  webAddress(written) === '' ? '' : linkTo(text, webAddress(written));

/** Rich text blocks: what Slack's own editor writes, and some programs send. */
export function richText(block: Payload): string {
  const parts = block.presentIn('elements').map((part) => {
    const write = lookUp(PARTS, part.textOr('type', '')) ?? plainPart;
    return write(part).replace(/^\n+/, '').trimEnd();
  });
  return joined(parts, '\n\n');
}

const plainPart = (part: Payload): string => spans(part, span);

const PARTS: Readonly<Record<string, (part: Payload) => string>> = {
  rich_text_list: list,
  rich_text_preformatted(part) {
    const text = spans(part, plainSpan);
    const fence = fenceAround(text, '`');
    return `${fence}\n${text}\n${fence}`;
  },
  rich_text_quote: (part) => quote(plainPart(part)),
};

const spans = (part: Payload, of: (element: Payload) => string): string => part.presentIn('elements').map(of).join('');

function list(part: Payload): string {
  const indent = '  '.repeat(Math.min(Math.max(Number(part.textOr('indent', '0')) || 0, 0), 8));
  const isOrdered = part.textOr('style', '') === 'ordered';
  return part
    .presentIn('elements')
    .map((item, index) => `${indent}${isOrdered ? `${index + 1}.` : '*'} ${spans(item, span)}`)
    .join('\n');
}

const written: Readonly<Record<string, (element: Payload) => string>> = {
  text: (element) => element.textOr('text', ''),
  link: (element) => linked(element.textOr('text', element.textOr('url', '')), element.textOr('url', '')),
  emoji: (element) => `:${element.textOr('name', '')}:`,
  user: (element) => `@${element.textOr('user_id', '')}`,
  usergroup: (element) => `@${element.textOr('usergroup_id', '')}`,
  channel: (element) => `#${element.textOr('channel_id', '')}`,
  broadcast: () => EVERYBODY,
  date: (element) => element.textOr('fallback', ''),
  color: (element) => element.textOr('value', ''),
};

const plainSpan = (element: Payload): string => element.textOr('text', element.textOr('url', ''));

const MARKS: readonly (readonly [string, string])[] = [
  ['code', '`'],
  ['strike', '~~'],
  ['italic', '*'],
  ['bold', '**'],
];

/** Marks must touch the words, so the space around them stays outside. */
function span(element: Payload): string {
  const text = lookUp(written, element.textOr('type', ''))?.(element) ?? '';
  const words = text.trim();
  const style = element.objectOr('style');
  const marks = words === '' ? [] : MARKS.filter(([name]) => style.isTrue(name)).map(([, mark]) => mark);
  const marked = marks.reduce((inner, mark) => `${mark}${inner}${mark}`, words);
  return marks.length === 0 ? text : text.replace(words, () => marked);
}

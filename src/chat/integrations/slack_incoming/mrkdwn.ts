/** Converts Slack's markup, which it calls mrkdwn. */

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

export const EVERYBODY = '@**all**';

/** Names of Slack's people, channels and groups; a date is its label. Slack's ids say nothing here. */
function named(sign: string, id: string, label: string): string {
  if (sign !== '!') return `${sign}${label === '' ? id : label.replace(/^[@#]/, '')}`;
  if (['here', 'channel', 'everyone'].includes(id)) return EVERYBODY;
  return label === '' ? `@${id.replace(/^subteam\^/, '')}` : label;
}

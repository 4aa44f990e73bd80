/** The parser, assembled once: a few of markdown-it's own rules, and a plugin for each feature of Zulip's Markdown. */
import MarkdownIt from 'markdown-it';
import { fencesPlugin } from './blocks/fences';
import { headingsPlugin } from './blocks/headings';
import { listsPlugin } from './blocks/lists';
import { quotesPlugin } from './blocks/quotes';
import { BLOCKS, tablesPlugin } from './blocks/tables';
import { formulasPlugin } from './formulas/formulas';
import { escapeText } from './html';
import { linksPlugin } from './links/links';
import { previewsPlugin } from './links/previews';
import { streamLinksPlugin } from './links/stream-links';
import { environmentOf, type Rendering } from './rendering';
import { avatarsPlugin } from './spans/avatars';
import { codeSpansPlugin } from './spans/code-spans';
import { emojiPlugin } from './spans/emoji-spans';
import { emphasisPlugin } from './spans/emphasis';
import { mentionsPlugin } from './spans/mentions';
import { textPlugin } from './spans/text';
import { timesPlugin } from './spans/times';

/** Deeper quotes and lists are cut off: they are unreadable, and every level costs. */
const DEEPEST = 40;

/** The order matters for inline plugins: earlier ones are tried first. */
const PLUGINS = [
  textPlugin,
  codeSpansPlugin,
  mentionsPlugin,
  timesPlugin,
  formulasPlugin,
  streamLinksPlugin,
  avatarsPlugin,
  linksPlugin,
  emphasisPlugin,
  emojiPlugin,
  tablesPlugin,
  fencesPlugin,
  headingsPlugin,
  listsPlugin,
  quotesPlugin,
  previewsPlugin,
];

function buildEngine() {
  const md = new MarkdownIt('zero', { breaks: true, maxNesting: DEEPEST });
  md.block.ruler.enable(BLOCKS);
  md.inline.ruler.enable(['text', 'newline', 'linkify', 'backticks', 'emphasis', 'link', 'entity']);
  md.inline.ruler2.enable(['emphasis', 'fragments_join']);
  md.inline.ruler2.disable(['balance_pairs']);
  for (const plugin of PLUGINS) md.use(plugin);
  const { rules } = md.renderer;
  rules['text'] = (tokens, index) => escapeText(tokens[index]!.content);
  rules['code_inline'] = (tokens, index) => `<code>${escapeText(tokens[index]!.content)}</code>`;
  return md;
}

const engine = buildEngine();

export const parseToHtml = (content: string, rendering: Rendering): string =>
  engine.render(content, environmentOf(rendering)).trimEnd();

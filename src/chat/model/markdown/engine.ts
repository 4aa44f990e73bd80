/** The parser, assembled once: a little of what it brings, and a plugin for everything that this dialect has. */
import MarkdownIt from 'markdown-it';
import { codeSpansPlugin } from './code-spans';
import { emojiPlugin } from './emoji-spans';
import { emphasisPlugin } from './emphasis';
import { fencesPlugin } from './fences';
import { formulasPlugin } from './formulas';
import { escapeText } from './html';
import { linksPlugin } from './links';
import { listsPlugin } from './lists';
import { mentionsPlugin } from './mentions';
import { previewsPlugin } from './previews';
import { environmentOf, type Scene } from './scene';
import { streamLinksPlugin } from './stream-links';
import { textPlugin } from './text';

/** Deeper quotes and lists are cut off: nobody reads them, and every level costs. */
const DEEPEST = 40;

function buildEngine() {
  const md = new MarkdownIt('zero', { breaks: true, maxNesting: DEEPEST });
  md.block.ruler.enable(['table', 'code', 'fence', 'blockquote', 'hr', 'list', 'heading', 'paragraph']);
  md.inline.ruler.enable(['text', 'newline', 'linkify', 'backticks', 'emphasis', 'link', 'entity']);
  md.inline.ruler2.enable(['emphasis', 'fragments_join']);
  md.inline.ruler2.disable(['balance_pairs']);
  const plugins = [textPlugin, codeSpansPlugin, mentionsPlugin, formulasPlugin, streamLinksPlugin, linksPlugin];
  for (const plugin of [...plugins, emphasisPlugin, emojiPlugin, fencesPlugin, listsPlugin, previewsPlugin])
    md.use(plugin);
  const { rules } = md.renderer;
  rules['text'] = (tokens, index) => escapeText(tokens[index]!.content);
  rules['code_inline'] = (tokens, index) => `<code>${escapeText(tokens[index]!.content)}</code>`;
  for (const type of ['th_open', 'td_open']) {
    rules[type] = (tokens, index) => {
      const [, side] = /text-align:(\w+)/.exec(String(tokens[index]!.attrGet('style'))) ?? [];
      return side === undefined ? `<${tokens[index]!.tag}>` : `<${tokens[index]!.tag} align="${side}">`;
    };
  }
  return md;
}

const engine = buildEngine();

export const toHtml = (content: string, scene: Scene): string => engine.render(content, environmentOf(scene)).trimEnd();

/** Parses the inline text of every block, and tracks the quote depth: mentions in quotes are silent. */
import type { MarkdownIt, StateCore } from 'markdown-it';
import { sceneOf } from '../scene';

function readInlines({ tokens, md, env }: StateCore): void {
  const scene = sceneOf(env);
  for (const token of tokens) {
    if (token.type === 'inline') md.inline.parse(token.content, md, env, token.children!);
    else if (token.type === 'blockquote_open') scene.quoteDepth += 1;
    else if (token.type === 'blockquote_close') scene.quoteDepth -= 1;
  }
}

export function quotesPlugin(md: MarkdownIt): void {
  md.core.ruler.at('inline', readInlines);
}

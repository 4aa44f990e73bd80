/** Highlights the searched words in results. */
import { partsOf } from '../markdown/formulas/drawn-formulas';
import { RUN, stemsOf } from './search-words';

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const lit = (run: string, words: ReadonlySet<string>): string =>
  stemsOf(run).some((word) => words.has(word)) ? `<span class="highlight">${run}</span>` : run;

/** In rendered content: only between tags, never in an entity or in a drawn formula. */
export const highlightHtml = (html: string, words: ReadonlySet<string>): string =>
  partsOf(html)
    .map((part) => (part.tex === undefined ? highlightBetweenTags(part.html, words) : part.html))
    .join('');

function highlightBetweenTags(html: string, words: ReadonlySet<string>): string {
  return html.replaceAll(/<[^>]*>|&(?:#\d+|#x[\da-f]+|\w+);|[^<&]+/gi, (part) =>
    part.startsWith('<') || part.startsWith('&') ? part : part.replaceAll(RUN, (run) => lit(run, words)),
  );
}

/** In plain text. The result is HTML. */
export function highlightText(text: string, words: ReadonlySet<string>): string {
  let html = '';
  let end = 0;
  for (const { 0: run, index } of text.matchAll(RUN)) {
    html += escaped(text.slice(end, index)) + lit(run, words);
    end = index + run.length;
  }
  return html + escaped(text.slice(end));
}

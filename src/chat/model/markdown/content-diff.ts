/** What an edit changed, as HTML with what came and what went marked. */
import htmldiff from 'node-htmldiff';
import { sanitise } from './sanitise';

/** Larger pairs are not compared word by word: the one is shown as gone, the other as new. */
const MOST_COMPARED = 40_000;

export function contentDiff(oldHtml: string, newHtml: string): string {
  const [before, after] = [hideDeletions(oldHtml), hideDeletions(newHtml)];
  const diff = before.length + after.length > MOST_COMPARED ? undefined : htmldiff(before, after);
  const marked = diff === undefined ? replaced(oldHtml, newHtml) : markChanges(diff);
  return sanitise(marked.replace(/<(\/?)struck>/g, '<$1del>'));
}

/** Text that was struck through by its author is no deletion. */
const hideDeletions = (html: string): string => html.replace(/<(\/?)del>/g, '<$1struck>');

const markChanges = (diff: string): string =>
  diff
    .replace(/<ins\b[^>]*>/g, '<span class="highlight_text_inserted">')
    .replace(/<del\b[^>]*>/g, '<span class="highlight_text_deleted">')
    .replace(/<\/(?:ins|del)>/g, '</span>');

const replaced = (oldHtml: string, newHtml: string): string =>
  `<div class="highlight_text_deleted">${oldHtml}</div><div class="highlight_text_inserted">${newHtml}</div>`;

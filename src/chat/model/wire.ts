/** What clients are told about the server, and texts as HTML. */
import { escapeAsNumbers } from './markdown/html';

/** The reported Zulip version, whatever our own: clients adapt to it. */
export const PROTOCOL_VERSION = '2.1.0';

/** Plain text as HTML: one paragraph per group of lines, everything else literal. */
export function paragraphs(text: string): string {
  return escapeAsNumbers(text)
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== '')
    .map((part) => `<p>${part.trim()}</p>`)
    .join('\n');
}

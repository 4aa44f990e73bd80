/** Writes a letter twice from its parts: as plain text, and as an HTML page for light and dark screens of any width. */
import type { Letter } from './letter';

/** One part of a letter, as text and as HTML. */
export interface Part {
  readonly text: string;
  readonly html: string;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!);

const lines = (text: string): string => escaped(text).replaceAll('\n', '<br>');

export const paragraph = (text: string): Part => ({ text, html: `<p>${lines(text)}</p>` });

/** A paragraph less important than others. */
export const smallPrint = (text: string): Part => ({ text, html: `<p class="small">${lines(text)}</p>` });

/** A link that the letter is about. As text, its address; programs find it alone on its line. */
export const button = (label: string, link: string): Part => ({
  text: link,
  html: `<p><a class="button" href="${escaped(link)}">${escaped(label)}</a></p>`,
});

/** A link with a line about where it leads. */
export const linked = (label: string, link: string, about: string): Part => ({
  text: `${label}: ${about}\n${link}`,
  html: `<p class="linked"><a href="${escaped(link)}">${escaped(label)}</a><br>${escaped(about)}</p>`,
});

/** Small print that ends with a link. */
export const smallLink = (text: string, label: string, link: string): Part => ({
  text: `${text} ${label}: ${link}`,
  html: `<p class="small">${lines(text)} <a href="${escaped(link)}">${escaped(label)}</a></p>`,
});

/** What somebody has said: a line about who and when, and below it the words. */
export const quoted = (head: string, said: Part): Part => ({
  text: `${head}\n${said.text}`,
  html: `<div class="said"><p class="head">${escaped(head)}</p>${said.html}</div>`,
});

/** Mail programs know few of CSS's newer parts, so colours are written out for both schemes. */
const STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; padding: 16px; background: #f5f5f8; color: #1d1e24; font: 16px/1.5 -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; overflow-wrap: anywhere; }
main { display: block; max-width: 600px; margin: 0 auto; padding: 24px; background: #ffffff; border: 1px solid #e1e1e8; border-radius: 8px; }
h1 { margin: 0 0 16px; font-size: 20px; line-height: 1.3; }
p { margin: 0 0 12px; }
a { color: #3f37c9; }
a.button { display: inline-block; padding: 12px 20px; background: #4f46e5; color: #ffffff; border-radius: 8px; text-decoration: none; font-weight: 600; }
.small { margin: 16px 0 0; color: #5d6070; font-size: 13px; }
.said { margin: 0 0 16px; padding: 0 0 0 12px; border-left: 3px solid #cfcfd9; }
.said .head { margin: 0 0 4px; color: #5d6070; font-size: 13px; font-weight: 600; }
blockquote { margin: 0 0 12px; padding: 0 0 0 12px; border-left: 3px solid #e1e1e8; color: #5d6070; }
pre, code { background: #f3f3f7; border-radius: 4px; font: 14px/1.45 ui-monospace, Menlo, Consolas, monospace; }
pre { padding: 8px 12px; white-space: pre-wrap; }
code { padding: 1px 4px; }
pre code { padding: 0; background: none; }
table { margin: 0 0 12px; border-collapse: collapse; }
td, th { padding: 4px 8px; border: 1px solid #cfcfd9; }
@media (max-width: 480px) { body { padding: 8px; } main { padding: 16px; } }
@media (prefers-color-scheme: dark) {
  body { background: #16181d; color: #e6e7ec; }
  main { background: #22252d; border-color: #2e323c; }
  a { color: #a9a4ff; }
  .small, .said .head, blockquote { color: #a7abba; }
  .said, blockquote, td, th { border-color: #3b404c; }
  pre, code { background: #16181d; }
}`;

interface Content {
  readonly language: string;
  readonly subject: string;
  readonly parts: readonly Part[];
}

export type Written = Required<Pick<Letter, 'subject' | 'text' | 'html'>>;

export function written({ language, subject, parts }: Content): Written {
  const head =
    `<meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<meta name="color-scheme" content="light dark"><title>${escaped(subject)}</title><style>${STYLE}\n</style>`;
  const body = parts.map(({ html }) => html).join('\n');
  return {
    subject,
    text: `${parts.map(({ text }) => text).join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="${escaped(language)}">\n<head>${head}</head>\n<body><main>\n<h1>${escaped(subject)}</h1>\n${body}\n</main></body>\n</html>\n`,
  };
}

/** Plain pages with forms for people without a client. They need no script and no cookie. */
import { STYLE_PATH } from '../../kernel/api-docs/page';
import { statusOf, type Dialect } from '../../kernel/http/dialect';
import { Download } from '../../kernel/http/outgoing';
import { escapeText, escapeValue } from '../model/markdown/html';

const HTML = 'text/html; charset=utf-8';

/** A form may be sent to this server alone, and nothing but the style is loaded or framed. */
const POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const written = (title: string, body: string): string =>
  `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${escapeText(title)}</title><link rel="stylesheet" href="${STYLE_PATH}"></head>\n` +
  `<body>\n<main>\n<h1>${escapeText(title)}</h1>\n${body}\n<p><a href="/">Back to the chat</a></p>\n</main>\n</body>\n</html>\n`;

export const page = (title: string, body: string): Download => new Download(written(title, body), HTML);

export const paragraph = (text: string): string => `<p>${escapeText(text)}</p>`;

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type: 'text' | 'email' | 'password';
  /** Tells browsers and password managers what belongs here. */
  readonly autocomplete: string;
}

/** A form that is sent to the address of its own page. */
export const form = (fields: readonly Field[], button: string): string =>
  [
    '<form class="form" method="post">',
    ...fields.map(
      ({ name, label, type, autocomplete }) =>
        `<p><label>${escapeText(label)} ` +
        `<input type="${type}" name="${escapeValue(name)}" autocomplete="${autocomplete}" required></label></p>`,
    ),
    `<button>${escapeText(button)}</button>`,
    '</form>',
  ].join('\n');

/** The product's own dialect, with refusals that people read in a browser. */
export const pageDialect = <By>(dialect: Dialect<By>): Dialect<By> => ({
  ...dialect,
  headers: { 'Cache-Control': 'private, no-store', 'Content-Security-Policy': POLICY },
  failureType: HTML,
  failure: (fault) => ({
    status: statusOf(fault),
    type: HTML,
    body: written('That did not work', `${paragraph(fault.message)}\n<p><a href="">Try again</a></p>`),
  }),
});

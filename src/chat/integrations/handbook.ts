/** The /docs page of each integration: its folder's README, and the message that its sample produces. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NOTHING_KNOWN } from '../model/markdown/context';
import { escapeText } from '../model/markdown/html';
import { render } from '../model/markdown/render';
import { integrations } from './index';
import { type Integration, type Notice, noticesOf } from './integration';
import { eventOf, readPayload } from './read-delivery';

export const integrationHandbook = {
  name: 'integrations',
  title: 'Integrations',
  pages: [...integrations.values()].map((integration) => {
    const { name } = integration;
    const markdown = () => readFileSync(join(__dirname, name, 'README.md'), 'utf8');
    return { name, markdown, example: () => exampleOf(integration, markdown()) };
  }),
};

/** The message that a page's first curl line produces. */
export function sampleNotice(integration: Integration, page: string): Notice | undefined {
  const [line] = curlLines(page);
  if (!line) return undefined;
  const headers = new Map(Object.entries(line.headers).map(([name, value]) => [name.toLowerCase(), value]));
  const posted = { ...line, header: (name: string) => headers.get(name.toLowerCase()) ?? '' };
  const payload = readPayload(integration, posted);
  return noticesOf(integration.format({ payload, event: eventOf(integration, posted, payload) }))[0];
}

/** Renders it as the web client does. */
function exampleOf(integration: Integration, page: string): string {
  const notice = sampleNotice(integration, page);
  if (!notice) return '';
  const { html } = render(notice.content, NOTHING_KNOWN);
  return `<h2>What it looks like</h2>
<div class="example">
<header>test › <b>${escapeText(notice.topic)}</b></header>
<article>
<span class="sign" aria-hidden="true">WB</span>
<div><b>Webhook Bot</b> <span class="kind">bot</span>
${withEmojiPictures(html)}
</div>
</article>
</div>`;
}

const EMOJI = /<span [^>]*class="emoji emoji-([0-9a-f-]+)"[^>]*>(:\w+:)<\/span>/g;

/** Clients show emoji as images, which this server provides. */
const withEmojiPictures = (html: string): string =>
  html.replaceAll(EMOJI, '<img class="emoji" src="/static/generated/emoji/images-google-64/$1.png" alt="$2">');

export interface CurlLine {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const LINE = /^curl -X (?:[^`]|`(?!``))+/gm;
const PART = /(-[A-Zd]|--data-urlencode) '([^']+)'/g;

/** All curl lines of a README page, in order. */
export const curlLines = (page: string): CurlLine[] => [...page.matchAll(LINE)].map(([line]) => readLine(line));

function readLine(line: string): CurlLine {
  const [, method = '', address = ''] = /^curl -X (\w+) '([^']+)'/.exec(line) ?? [];
  const url = new URL(address);
  const headers: Record<string, string> = {};
  const data: string[] = [];
  for (const [, option, value = ''] of line.matchAll(PART)) {
    const at = value.indexOf(option === '-H' ? ': ' : '=');
    if (option === '-H') headers[value.slice(0, at)] = value.slice(at + 2);
    else if (option === '-d') data.push(value);
    else if (option === '--data-urlencode') data.push(value.slice(0, at + 1) + encodeURIComponent(value.slice(at + 1)));
  }
  return { method, path: url.pathname, query: Object.fromEntries(url.searchParams), headers, body: data.join('&') };
}

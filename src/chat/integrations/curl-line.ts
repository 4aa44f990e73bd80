/** Parses the curl lines in integrations' README pages. */

export interface CurlLine {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const LINE = /^curl -X (?:[^`]|`(?!``))+/gm;
const PART = /(-[A-Zd]|--data-urlencode) '([^']+)'/g;

/** All curl lines of a page, in order. */
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

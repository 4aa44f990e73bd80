/** Searches handbook pages and API operations by title and summary. */
import { pathOf, summaryOf, titleOf, type Handbook } from './handbook';
import { escapeHtml, type FramedPage } from './page';

export interface DocsEntry {
  readonly title: string;
  readonly hint: string;
  readonly url: string;
}

interface Described {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly summary?: string;
  readonly operationId?: string;
  readonly tags?: readonly string[];
}

export function docsEntries(document: object, handbooks: readonly Handbook[]): readonly DocsEntry[] {
  const pages = handbooks.flatMap((book) =>
    book.pages.map((page) => ({ title: titleOf(page), hint: summaryOf(page), url: pathOf(book, page) })),
  );
  const operations = Object.entries((document as Described).paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary = '', operationId = '', tags = [] }]) => ({
      title: summary,
      hint: `${method.toUpperCase()} ${path}`,
      // The anchor at which Swagger UI opens an operation.
      url: `/docs#/${tags[0] ?? ''}/${operationId}`,
    })),
  );
  return [...pages, ...operations];
}

const MAX_FOUND = 100;
const MAX_QUERY_LENGTH = 100;

/** For browsers without JavaScript. */
export function searchPage(entries: readonly DocsEntry[], written: string): FramedPage {
  const query = written.slice(0, MAX_QUERY_LENGTH);
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = entries.filter(({ title, hint }) => {
    const text = `${title} ${hint}`.toLowerCase();
    return words.length > 0 && words.every((word) => text.includes(word));
  });
  const items = found
    .slice(0, MAX_FOUND)
    .map(
      ({ title, hint, url }) =>
        `<li><a href="${escapeHtml(url)}">${escapeHtml(title)}<small>${escapeHtml(hint)}</small></a></li>`,
    );
  const list = items.length > 0 ? `<ul class="results">\n${items.join('\n')}\n</ul>` : '<p>Nothing was found.</p>';
  return { title: 'Search', query, body: `<main>\n<h1>Search</h1>\n${list}\n</main>` };
}

/** Documentation pages of a product, in Markdown: listed on /docs and served below it. */
import { escapeHtml, markdown, type FramedPage } from './page';

export interface HandbookPage {
  /** Its path below the handbook's. */
  readonly name: string;
  /** Read on first use. The first heading is its title. */
  readonly markdown: () => string;
  /** HTML of the product, inserted below the first paragraph. */
  readonly example?: () => string;
}

export interface Handbook {
  /** Its path below /docs. */
  readonly name: string;
  readonly title: string;
  readonly pages: readonly HandbookPage[];
}

export const pathOf = (book: Handbook, page?: HandbookPage): string =>
  page ? `/docs/${book.name}/${page.name}` : `/docs/${book.name}`;

export const titleOf = (page: HandbookPage): string => /^# (.+)$/m.exec(page.markdown())?.[1] ?? page.name;

const MAX_SUMMARY_LENGTH = 120;

/** The first sentence below the title. */
export function summaryOf(page: HandbookPage): string {
  const [, text = ''] = /^# .+\n\n((?:.+\n)+)/m.exec(page.markdown()) ?? [];
  const plain = text.replaceAll(/[`*]/g, '').replaceAll('\n', ' ');
  const sentence = /^.*?[.:](?= |$)/.exec(plain)?.[0] ?? plain;
  return sentence.length > MAX_SUMMARY_LENGTH ? `${sentence.slice(0, MAX_SUMMARY_LENGTH)}…` : sentence;
}

/** The table of contents, as a list of links. */
export const contentsOf = (book: Handbook): string =>
  book.pages
    .map((page) => {
      const summary = `<small>${escapeHtml(summaryOf(page))}</small>`;
      return `<li><a href="${pathOf(book, page)}">${escapeHtml(titleOf(page))}${summary}</a></li>`;
    })
    .join('\n');

export function contentsPage(book: Handbook): FramedPage {
  const title = escapeHtml(book.title);
  const body = `<main>\n<h1>${title}</h1>\n<ul class="tiles">\n${contentsOf(book)}\n</ul>\n</main>`;
  return { title: book.title, body };
}

export function handbookPage(page: HandbookPage): FramedPage {
  const [introduction, ...rest] = markdown.render(page.markdown()).split(/(?<=<\/p>\n)/);
  const body = `<main>\n${[introduction, page.example?.() ?? '', ...rest].join('')}\n</main>`;
  return { title: titleOf(page), body };
}

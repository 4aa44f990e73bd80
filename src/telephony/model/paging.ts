/** Paging of lists. Clients use several names for the page size; all mean the same. */

export const DEFAULT_PAGE_SIZE = 100;
/** Larger page sizes are reduced to this. The X-Pagination-Per-Page header shows it. */
const MAX_PAGE = 1000;

export interface Page {
  readonly number: number;
  readonly size: number;
}

/** A page of what a filter lets through. */
export interface Listing<Filter> {
  readonly filter: Filter;
  readonly page: Page;
}

export interface Listed<T> {
  readonly items: readonly T[];
  readonly total: number;
}

export interface PageParams {
  readonly page?: number | undefined;
  readonly items_per_page?: number | undefined;
  readonly page_size?: number | undefined;
  readonly per_page?: number | undefined;
}

export function pageOf(params: PageParams): Page {
  const size = params.items_per_page ?? params.page_size ?? params.per_page ?? DEFAULT_PAGE_SIZE;
  return { number: params.page ?? 1, size: Math.min(size, MAX_PAGE) };
}

export const offsetOf = ({ number, size }: Page): number => (number - 1) * size;

export const pageHeaders = (page: Page, total: number): Record<string, string> => ({
  'X-Pagination-Total-Count': String(total),
  'X-Pagination-Page-Count': String(Math.ceil(total / page.size)),
  'X-Pagination-Current-Page': String(page.number),
  'X-Pagination-Per-Page': String(page.size),
});

/** Parameters of every list, and answers with paging headers. */
import { z } from 'zod';
import { integer } from '../../kernel/http/params';
import { searchableId } from '../../kernel/id';
import { Outgoing } from '../../kernel/http/outgoing';
import { pageHeaders, pageOf, type Listed, type Page, type PageParams } from '../model/paging';

const positive = integer.refine((number) => number >= 1 && number <= 1_000_000_000, 'must be 1 or more').optional();

export const pageShape = { page: positive, items_per_page: positive, page_size: positive, per_page: positive } as const;

/** Answers with one page of a list. */
export async function paged(params: PageParams, list: (page: Page) => Promise<Listed<object>>): Promise<Outgoing> {
  const page = pageOf(params);
  const { items, total } = await list(page);
  return new Outgoing(items, { headers: pageHeaders(page, total) });
}

/** A word of the query string. Empty counts as missing. */
export const word = z
  .string()
  .max(255)
  .transform((text) => (text === '' ? undefined : text))
  .optional();

/** The same for an id or another word that only this server issues. */
export const idWord = word.transform((text) => (text === undefined ? undefined : searchableId(text)));

/** Bulk orders of extensions: how rows are read, and their results. */
import type { Wire } from '../../../kernel/text/wire';
import type * as answers from '../answers/extensions';
import type { CompanyId } from '../companies/company';
import type { Caller } from '../contacts/contact';
import { CREDENTIAL_FIELDS, FIELDS } from './extension-fields';

/** Returns an error message if the text is invalid. */
export function readCsv(text: string): string[][] | string {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const source = text.replace(/^\ufeff/, '');
  const endRow = () => {
    row.push(cell);
    cell = '';
    // Empty lines are skipped.
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  };
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at]!;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (source[at + 1] === '"') cell += source[++at]!;
      else isQuoted = false;
    } else if (character === '"' && cell === '') isQuoted = true;
    else if (character === ',') {
      row.push(cell);
      cell = '';
    } else if (character === '\n') endRow();
    else if (character !== '\r') cell += character;
  }
  if (isQuoted) return 'a quote is not closed';
  endRow();
  return rows;
}

export const BULK_MODES = ['upsert', 'create', 'update'] as const;
export type BulkMode = (typeof BULK_MODES)[number];

export const MAX_ROWS = 1000;

export interface RowResult {
  /** Starts at 1. */
  readonly row: number;
  readonly number: number | null;
  readonly action: 'create' | 'update' | null;
  readonly status: 'ok' | 'failed';
  readonly detail: string;
  /** Sentences about fields that went nowhere. */
  readonly warnings: readonly string[];
  readonly extension_id: string | null;
}

export interface BulkOrder {
  readonly id: string;
  readonly companyId: CompanyId;
  readonly by: Caller;
  readonly instance: string;
  readonly mode: BulkMode;
  readonly isFinished: boolean;
  readonly total: number;
  /** Encrypted. */
  readonly content: string | null;
  readonly results: readonly RowResult[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const bulkObject = (order: BulkOrder): Wire<typeof answers.bulkOrder> => ({
  id: order.id,
  instance_uuid: order.instance,
  mode: order.mode,
  state: order.isFinished ? 'finished' : 'running',
  total: order.total,
  done: order.results.length,
  failed: order.results.filter(({ status }) => status === 'failed').length,
  rows: order.results,
  created: order.createdAt.toISOString(),
  updated: order.updatedAt.toISOString(),
});

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads the rows of a body, each in the form of a single extension's body. Returns an error message if invalid. */
export function readRows(body: unknown): Record<string, unknown>[] | string {
  const rows = typeof body === 'string' ? rowsOfCsv(body) : rowsOfJson(body);
  if (typeof rows === 'string') return rows;
  if (rows.length === 0) return 'there are no rows';
  return rows.length > MAX_ROWS ? `there are more than ${MAX_ROWS} rows` : rows;
}

function rowsOfJson(body: unknown): Record<string, unknown>[] | string {
  const list: unknown = isObject(body) ? body['rows'] : body;
  if (!Array.isArray(list)) return 'the body must be an array of extensions, or text/csv';
  return list.every(isObject) ? list.map(nested) : 'every row must be an object';
}

/** Rows may be flat, as in a spreadsheet. */
const nested = (row: Record<string, unknown>): Record<string, unknown> =>
  isObject(row['data']) ? row : ofColumns(Object.entries(row));

const COLUMNS = new Set([...Object.keys(FIELDS), ...CREDENTIAL_FIELDS, 'id', 'extension']);
const OWN = new Set(['discard_voicemail', 'location', 'location_id', 'purpose', 'user_email', 'user_id']);

function rowsOfCsv(text: string): Record<string, unknown>[] | string {
  const cells = readCsv(text);
  if (typeof cells === 'string') return cells;
  const [heading = [], ...lines] = cells;
  const names = heading.map((name) => name.trim().toLowerCase());
  const unknown = names.filter((name) => !COLUMNS.has(name) && !OWN.has(name));
  if (unknown.length > 0) return `there is no column ${unknown.map((name) => `"${name}"`).join(', ')}`;
  const uneven = lines.findIndex((line) => line.length !== names.length);
  if (uneven >= 0) return `row ${uneven + 1} has ${lines[uneven]!.length} cells, not ${names.length}`;
  // An empty cell keeps the current value or the default.
  return lines.map((line) =>
    ofColumns(names.map((name, at) => [name, line[at]!] as const).filter(([, cell]) => cell !== '')),
  );
}

function ofColumns(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  const data: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    if (name === 'user_id') row['user'] = { ...(row['user'] as object | undefined), id: value };
    else if (name === 'user_email') row['user'] = { ...(row['user'] as object | undefined), work_email: value };
    else if (name === 'location' && !isObject(value)) row['location'] = { name: value };
    else if (OWN.has(name)) row[name] = value;
    else data[name] = value;
  }
  return { ...row, data };
}

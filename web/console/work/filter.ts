/** The work search filter, as it is in the page's URL. */
import { WORK_STATES } from '../data/wire';

export const TEXT_FIELDS = ['subject', 'kind', 'tenant', 'reference', 'error'] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

export interface Filter extends Readonly<Record<TextField, string>> {
  readonly work_queue: string;
  /** A state, or `any`. */
  readonly state: string;
  /** Only items older than this one. */
  readonly before: string;
}

/** Operators usually look for dead letters. */
const USUAL_STATE = 'dead';

export function readFilter(params: URLSearchParams): Filter {
  const get = (name: string): string => params.get(name) ?? '';
  const state = get('state');
  const isKnown = state === 'any' || WORK_STATES.some((each) => each === state);
  const texts = Object.fromEntries(TEXT_FIELDS.map((name) => [name, get(name)])) as Record<TextField, string>;
  return { ...texts, work_queue: get('work_queue'), state: isKnown ? state : USUAL_STATE, before: get('before') };
}

export const writeFilter = (filter: Filter): URLSearchParams =>
  new URLSearchParams(
    Object.entries(filter).filter(([name, value]) => value !== '' && !(name === 'state' && value === USUAL_STATE)),
  );

/** Omits empty fields, because the server treats an empty string as a value. */
export const givenFields = (filter: Partial<Filter>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(filter).filter(([name, value]) => value !== '' && !(name === 'state' && value === 'any')),
  );

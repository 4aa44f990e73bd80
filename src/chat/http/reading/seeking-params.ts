/** What a client says of the messages that it wants: an anchor, a narrow, and how many. */
import { Fault } from '../../../kernel/fault';
import { jsonText, text } from '../../../kernel/http/params';
import { NEWEST_ANCHOR } from '../../model/reading/anchor';
import { badArgument, missingArgument } from '../../model/faults';

export const missingAnchor = () =>
  new Fault('invalid', "Missing 'anchor' argument (or set 'use_first_unread_anchor'=True).");
export const BAD_NARROW = new Fault('invalid', 'Invalid narrow operator: unknown stream nowhere', {
  code: 'BAD_NARROW',
  fields: { desc: 'unknown stream nowhere' },
});

/** Larger than other numbers may be: clients send an anchor above all ids to start at the newest message. */
export const anchorText = text.meta({
  type: ['integer', 'string'],
  description: 'A message id, `newest`, `oldest`, `first_unread`, or `date` for the first since `anchor_date`',
});
export const dateText = text.meta({ description: 'ISO 8601, such as 2026-11-18 or 2026-11-18T09:30:00Z' });

const ISO = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[-+]\d\d:?\d\d)?)?$/i;

/** Without a time zone it is UTC, as in Zulip. */
function dateOf(written: string | undefined): Date {
  if (written === undefined) throw missingArgument('anchor_date');
  const found = ISO.exec(written);
  const date = new Date(found && written.length > DAY_LENGTH && !found[1] ? `${written}Z` : written);
  if (!found || Number.isNaN(date.getTime())) throw badArgument('anchor_date', written);
  return date;
}
const DAY_LENGTH = '2026-11-18'.length;

interface WrittenAnchor {
  readonly anchor?: string | undefined;
  readonly anchor_date?: string | undefined;
  readonly use_first_unread_anchor: boolean;
}

export function anchorOf(params: WrittenAnchor): number | Date | undefined {
  // Some clients always send both.
  if (params.use_first_unread_anchor) return undefined;
  const written = params.anchor;
  if (written === undefined) throw missingAnchor();
  if (written === 'date') return dateOf(params.anchor_date);
  if (written === 'first_unread') return undefined;
  if (written === 'newest') return NEWEST_ANCHOR;
  if (written === 'oldest') return 0;
  if (!/^\s*[-+]?\d+\s*$/.test(written)) throw badArgument('anchor', written);
  // Longer numbers would come back rounded, or as 1e+21, which most clients do not accept as an integer.
  return Math.max(-NEWEST_ANCHOR, Math.min(Number(written), NEWEST_ANCHOR));
}

/** Zulip's limit. */
const MAX = 2 ** 32 - 1;

export function countOf(name: string, written: string): number {
  const count = Number(written);
  if (!/^\s*\d+\s*$/.test(written) || count > MAX) throw badArgument(name, written);
  return count;
}

export const narrowText = text.meta(jsonText({ type: 'array' }));
export const countText = text.meta({ type: 'integer' });

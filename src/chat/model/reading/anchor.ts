/** The range of a narrow that a client requests, and whether its ends were reached. */

/** Sent by clients to start at the newest message, and returned when nothing is unread. */
export const NEWEST_ANCHOR = 10_000_000_000_000_000;

/** Limit of the specification. */
export const MAX_MESSAGES = 5000;

export interface Range {
  readonly anchor: number;
  readonly before: number;
  readonly after: number;
  /** Whether the client has the anchor itself already. */
  readonly isBesideAnchor?: boolean | undefined;
}

/** No message can have such an id. Some clients send JavaScript's largest number. */
const isRightmost = (anchor: number): boolean => anchor >= Number.MAX_SAFE_INTEGER;
const isLeftmost = (anchor: number): boolean => anchor === 0;

/** How many messages to find on either side. The anchor itself counts with those after it, or else before it. */
export function rangesOf(range: Range) {
  return range.isBesideAnchor ? rangesBeside(range) : rangesWith(range);
}

function rangesBeside({ anchor, before, after }: Range) {
  const down = { direction: 'down' as const, anchor: anchor - 1, want: before };
  const up = { direction: 'up' as const, anchor: anchor + 1, want: after };
  const hasEarlier = !isLeftmost(anchor) && before > 0;
  return [...(hasEarlier ? [down] : []), ...(!isRightmost(anchor) && after > 0 ? [up] : [])];
}

function rangesWith({ anchor, before, after }: Range) {
  const needsBefore = !isLeftmost(anchor) && before > 0;
  const needsAfter = !isRightmost(anchor) && after > 0;
  if (!needsBefore && !needsAfter) return isRightmost(anchor) ? [] : [{ direction: 'up' as const, anchor, want: 1 }];
  const own = isRightmost(anchor) ? 0 : 1;
  if (!needsAfter) return [{ direction: 'down' as const, anchor, want: before + own }];
  const up = { direction: 'up' as const, anchor, want: after + own };
  return needsBefore ? [{ direction: 'down' as const, anchor: anchor - 1, want: before }, up] : [up];
}

export interface Found<T> {
  readonly messages: readonly T[];
  readonly found_anchor: boolean;
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
}

/** Cuts the found messages to the requested number. */
export function cut<T extends { readonly id: number }>(found: readonly T[], range: Range): Found<T> {
  const { anchor } = range;
  const sorted = [...found].sort((a, b) => a.id - b.id);
  const earlier = sorted.filter(({ id }) => id < anchor);
  const later = sorted.filter(({ id }) => id > anchor);
  const own = range.isBesideAnchor ? [] : sorted.filter(({ id }) => id === anchor);
  const before = range.before === 0 ? [] : earlier.slice(-range.before);
  const after = later.slice(0, range.after);
  return {
    messages: [...before, ...own, ...after],
    found_anchor: own.length === 1,
    found_oldest: isLeftmost(anchor) || before.length < range.before,
    found_newest: isRightmost(anchor) || after.length < range.after,
  };
}

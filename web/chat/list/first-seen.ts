/** Finds out, from the rows that are there, what the bar at the top of a list shows. */

export interface Seen {
  /** The message whose conversation is shown; none while the conversation's own bar is in sight. */
  readonly barOf: number | undefined;
  /** The message whose beginning is out of sight, if much of it is to come. */
  readonly longId: number | undefined;
}

export const NOTHING: Seen = { barOf: undefined, longId: undefined };

/** Height of the bar; see the stylesheet. The one of the next conversation pushes it away. */
export const BAR_HEIGHT = 38;
/** So much of a message must be below the bar for its author to be shown. */
const LONG = 90;

/** `offset` is by how much the next conversation has pushed the bar up. */
export function firstSeen(scroller: HTMLElement, isOfMany: boolean): Seen & { offset: number } {
  const { top } = scroller.getBoundingClientRect();
  const rows = [...scroller.querySelectorAll<HTMLElement>('[data-message-id]')];
  const at = rows.findIndex((row) => row.getBoundingClientRect().bottom > top);
  const row = rows[at];
  // Above the first message is its bar.
  if (!row) return { ...NOTHING, offset: 0 };
  const id = Number(row.dataset['messageId']);
  const place = row.getBoundingClientRect();
  const longId = place.top < top - 4 && place.bottom > top + BAR_HEIGHT + LONG ? id : undefined;
  if (!isOfMany) return { barOf: undefined, longId, offset: 0 };
  const ownBar = barOf(row);
  if (ownBar && ownBar.getBoundingClientRect().top >= top) return { ...NOTHING, offset: 0 };
  const next = rows.slice(at + 1).find((each) => barOf(each));
  const room = next ? next.parentElement!.getBoundingClientRect().top - top : BAR_HEIGHT;
  return { barOf: id, longId, offset: Math.min(0, Math.round(room - BAR_HEIGHT)) };
}

const barOf = (row: HTMLElement): Element | null => row.parentElement!.querySelector(':scope > [data-bar]');

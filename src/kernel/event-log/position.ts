/**
 * Positions in a log: where an event stands among numbered events and events beside the log (see ephemera.ts). Between
 * two numbered events there is room for some events beside the log.
 */
export const ROOM = 1000;

export const positionOf = (number: number, index = 0): number => number * ROOM + index;

/** The numbered event at or before the position. */
export const numberAt = (position: number): number => Math.floor(position / ROOM);

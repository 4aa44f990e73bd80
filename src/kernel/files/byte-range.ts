/** The part of a file that a request asks for, as players do that jump to a place. */

/** Both ends are included. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** Undefined if the whole file is to be sent: for no range, for several, and for one beyond the end. */
export function byteRange(header: string, size: number): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim()) ?? [];
  if (first === '' && last === '') return undefined;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size - 1 : Math.min(size - 1, Number(last));
  return from <= to ? { from, to } : undefined;
}

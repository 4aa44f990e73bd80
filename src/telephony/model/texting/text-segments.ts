/** Counts the SMS segments of a text: GSM-7 if its characters allow it, otherwise UCS-2. */

/** The default alphabet of GSM 03.38. */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** These take two septets. */
const EXTENDED = new Set('\f^{}\\[~]|€');

export type Encoding = 'GSM-7' | 'UCS-2';

export interface Segments {
  readonly encoding: Encoding;
  readonly count: number;
}

/** Units in a single segment, and in each of several, which also carry a header. */
const ROOM: Readonly<Record<Encoding, { alone: number; each: number }>> = {
  'GSM-7': { alone: 160, each: 153 },
  'UCS-2': { alone: 70, each: 67 },
};

export function segmentsOf(text: string): Segments {
  const characters = Array.from(text);
  const isPlain = characters.every((character) => BASIC.has(character) || EXTENDED.has(character));
  const encoding = isPlain ? 'GSM-7' : 'UCS-2';
  const places = characters.map((character) => (isPlain ? (EXTENDED.has(character) ? 2 : 1) : character.length));
  const { alone, each } = ROOM[encoding];
  const all = places.reduce((sum, place) => sum + place, 0);
  return { encoding, count: all <= alone ? 1 : countParts(places, each) };
}

/** A character of two units is never split across segments. */
function countParts(places: readonly number[], room: number): number {
  let parts = 1;
  let used = 0;
  for (const place of places) {
    if (used + place > room) {
      parts += 1;
      used = 0;
    }
    used += place;
  }
  return parts;
}

/** Warnings for the sender about cost. */
export function warningsOf(text: string): string[] {
  const { encoding, count } = segmentsOf(text);
  return [
    ...(count > 1 ? [`The message is sent in ${count} parts`] : []),
    ...(encoding === 'UCS-2' ? ['Some characters leave room for fewer characters in each part'] : []),
  ];
}

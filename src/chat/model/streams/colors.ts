/** Stream colours: each user has their own, assigned until they choose. */

/** Zulip's palette in its order, which clients show too. */
export const COLORS = [
  '76ce90 fae589 a6c7e5 e79ab5 bfd56f f4ae55 b0a5fd addfe5 f5ce6e c2726a 94c849 bd86e5',
  'ee7e4a a6dcbf 95a5fd 53a063 9987e1 e4523d c2c2c2 4f8de4 c6a8ad e7cc4d c8bebf a47462',
].flatMap((line) => line.split(' ').map((color) => `#${color}`));

export const isColor = (text: string): boolean => /^#[0-9a-f]{3,6}$/i.test(text);

/** The first colour that the user does not use. If all are used, they repeat in turn. */
export function pickColor(used: ReadonlyMap<string, number>): string {
  const free = COLORS.find((color) => !used.has(color));
  if (free !== undefined) return free;
  const total = [...used.values()].reduce((sum, count) => sum + count, 0);
  return COLORS[total % COLORS.length]!;
}

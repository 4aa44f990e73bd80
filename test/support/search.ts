/**
 * How long a test searches for counter-examples. `npm run test:long` runs the tests that search once more, for the full
 * time; `npm test` searches a quarter as long.
 */
const share = (): number => (process.env['TEST_SEARCH'] === 'whole' ? 1 : 4);

export const tries = (count: number): number => Math.ceil(count / share());

/** Those of a list that a test tries in one of several places: in all places together, every one is tried. */
export const triedAt = <T>(place: number, all: readonly T[]): T[] =>
  all.filter((_, index) => (index + place) % share() === 0);

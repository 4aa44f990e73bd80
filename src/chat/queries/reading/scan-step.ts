/** One step of a scan, over index entries or over a window of ids. */
import { known, mapRead, together, type Read } from '../../../kernel/mysql/read-packet';
import { needsMarks, soughtFacts, soughtWords, type Narrow } from '../../model/reading/narrow-condition';
import type { Driver } from '../../model/reading/narrow-drivers';
import type { User } from '../../model/users/user';
import { detailsOf } from '../../store/reading/message-details';
import { windowRead } from '../../store/reading/message-refs';
import { walkRead, type Direction, type Walk, type Walked } from '../../store/reading/narrowed-messages';

export interface MessageRange {
  readonly direction: Direction;
  /** Where to begin, inclusive. */
  readonly start: number;
  readonly want: number;
}

export interface Step {
  readonly walked: Walked;
  readonly driver: Driver;
  /** Relevant messages per id of the organisation; known after a window. */
  readonly density: number | undefined;
}

interface Place {
  readonly by: User;
  readonly narrow: Narrow;
  readonly head: number;
}

interface NextStep {
  readonly drivers: readonly Driver[];
  readonly range: MessageRange;
  readonly density: number | undefined;
}

/** Takes one step with each driver. The driver that came furthest skips the most irrelevant messages. */
export function stepRead(place: Place, { drivers, range, density }: NextStep): Read<Step> {
  const all = together(
    drivers.map((driver) =>
      range.direction === 'down' && isWorthAWindow(driver, density)
        ? windowStep(place, driver, range)
        : walkStep(place, driver, range, density),
    ),
  );
  return mapRead(all, (steps) =>
    steps.reduce((best, step) => (isFurther(step.walked, best.walked, range.direction) ? step : best)),
  );
}

function isFurther(one: Walked, other: Walked, direction: Direction): boolean {
  if (one.isEnd || other.isEnd) return one.isEnd && !other.isEnd;
  return direction === 'up' ? one.last! > other.last! : one.last! < other.last!;
}

/** Merging many index ranges reads some of each; a window reads everything in between. Upwards, that is too much. */
function isWorthAWindow({ seeks, windows }: Driver, density: number | undefined): boolean {
  if (windows === 'never') return false;
  return density === undefined || (windows === 'while-dense' && density * seeks.length >= 1);
}

const readerOf = ({ by, narrow }: Place): Pick<Walk, 'realmId' | 'userId' | 'details'> => ({
  realmId: by.realmId,
  userId: by.id,
  details: { marks: needsMarks(narrow), words: soughtWords(narrow), facts: soughtFacts(narrow) },
});

function walkStep(place: Place, driver: Driver, range: MessageRange, density: number | undefined): Read<Step> {
  const read = walkRead(driver.seeks, { ...readerOf(place), ...range, limit: range.want });
  return mapRead(read, (walked) => ({ walked, driver, density }));
}

/** A window is this many times longer than the number of wanted messages. */
const WINDOW = 4;
const NOTHING = { refs: [], details: detailsOf([]) };

function windowStep(place: Place, driver: Driver, range: MessageRange): Read<Step> {
  const length = range.want * WINDOW;
  const to = Math.min(range.start, place.head);
  const from = Math.max(1, to - length + 1);
  const { recipientIds } = driver;
  const read = from > to ? known(NOTHING) : windowRead(readerOf(place), { recipientIds, from, to });
  return mapRead(read, ({ refs, details }) => {
    const walked = { refs: refs.toReversed(), details, last: from, isEnd: from === 1 };
    return { walked, driver, density: refs.length / length };
  });
}

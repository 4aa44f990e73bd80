import { render } from '../../../../src/chat/model/markdown/render';
import { fill } from './corpus';
import { organisation } from './organisation';

/** What is done this soon need not be compared with anything. */
const QUICK_MS = 30;
const TIMES = 3;
const ORDINARY = fill(
  'Hello **all**, the [minutes](https://example.com/a) are in `docs/`.\n\n* one\n* two, see #12\n\n',
);

/** What hostile content may cost at most. */
export const ALLOWED_COST = 25;

function cpuMs(work: () => unknown): number {
  const began = process.cpuUsage();
  work();
  return process.cpuUsage(began).user / 1000;
}

/**
 * How many ordinary messages could be rendered meanwhile: they are rendered at the same moment, so a busy machine slows
 * both, and what costs too much is measured again. 0 for work that is quick on any machine.
 */
export function cost(work: () => unknown): number {
  if (cpuMs(work) < QUICK_MS) return 0;
  let least = Infinity;
  for (let time = 0; time < TIMES && least >= ALLOWED_COST; time += 1) {
    least = Math.min(least, cpuMs(work) / cpuMs(() => render(ORDINARY, organisation)));
  }
  return least;
}

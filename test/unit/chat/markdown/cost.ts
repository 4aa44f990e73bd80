import { render } from '../../../../src/chat/model/markdown/render';
import { fill } from './corpus';
import { organisation } from './organisation';

/** Work this fast needs no comparison. */
const QUICK_MS = 30;
const TIMES = 3;
const ORDINARY = fill(
  'Hello **all**, the [minutes](https://example.com/a) are in `docs/`.\n\n* one\n* two, see #12\n\n',
);

/** The highest allowed cost of hostile content. */
export const ALLOWED_COST = 25;

function cpuMs(work: () => unknown): number {
  const began = process.cpuUsage();
  work();
  return process.cpuUsage(began).user / 1000;
}

/**
 * How many ordinary messages could be rendered in the same time: they are rendered at the same moment, so a busy
 * machine slows both, and a result that is too high is measured again. 0 for work that is fast on any machine.
 */
export function cost(work: () => unknown): number {
  if (cpuMs(work) < QUICK_MS) return 0;
  let least = Infinity;
  for (let time = 0; time < TIMES && least >= ALLOWED_COST; time += 1) {
    least = Math.min(least, cpuMs(work) / cpuMs(() => render(ORDINARY, organisation)));
  }
  return least;
}

/** Garbage collection on demand: what nothing holds is gone, also the timers of signals. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
export const collectGarbage = runInNewContext('gc') as () => void;

/** Collects garbage again and again while something is under way. */
export async function amidCollections<T>(work: Promise<T>): Promise<T> {
  const collecting = setInterval(collectGarbage, 20);
  try {
    return await work;
  } finally {
    clearInterval(collecting);
  }
}

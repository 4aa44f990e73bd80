/** Garbage collection on demand: collects everything unreferenced, including timers of signals. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
export const collectGarbage = runInNewContext('gc') as () => void;

/** Collects garbage repeatedly while some work runs. */
export async function amidCollections<T>(work: Promise<T>): Promise<T> {
  const collecting = setInterval(collectGarbage, 20);
  try {
    return await work;
  } finally {
    clearInterval(collecting);
  }
}

/** Says how far a long piece of work is, and ends it when it takes far too long. */

const REPORT_EVERY_MS = 10_000;

/** What the work tells, as often as it likes. */
export type Tell = (how: string) => void;

/**
 * The result of the work. After `ms` the promise is rejected with the last report, though the work itself goes on: it
 * must end with the browser or the node that it uses.
 */
export async function byWhen<Result>(name: string, ms: number, work: (tell: Tell) => Promise<Result>): Promise<Result> {
  const began = Date.now();
  let [reportedAt, last] = [began, 'nothing yet'];
  const tell: Tell = (how) => {
    last = how;
    if (Date.now() - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = Date.now();
    console.log(`${name}: ${how} after ${Math.round((reportedAt - began) / 1000)} s`);
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${name} took longer than ${ms / 1000} s: ${last}`)), ms);
  });
  try {
    return await Promise.race([work(tell), late]);
  } finally {
    clearTimeout(timer);
  }
}

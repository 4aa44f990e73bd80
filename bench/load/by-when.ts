/** Says how far a long piece of work is, and ends it when it stands still. */

const REPORT_EVERY_MS = 10_000;

/** What the work tells, as often as it likes: whatever differs from what it told before is progress. */
export type Tell = (how: string) => void;

/**
 * The result of the work. When it has told nothing new for `ms`, the promise is rejected with the last report, though the
 * work itself goes on: it must end with the browser or the node that it uses. A slow machine takes longer, and fails no
 * sooner than a quick one.
 */
export async function byWhen<Result>(name: string, ms: number, work: (tell: Tell) => Promise<Result>): Promise<Result> {
  const began = Date.now();
  let [reportedAt, last] = [began, 'nothing yet'];
  let giveUp: () => void = () => undefined;
  const late = new Promise<never>((_, reject) => {
    giveUp = () => reject(new Error(`${name} stood still for ${ms / 1000} s: ${last}`));
  });
  let timer = setTimeout(giveUp, ms);
  const tell: Tell = (how) => {
    if (how === last) return;
    last = how;
    clearTimeout(timer);
    timer = setTimeout(giveUp, ms);
    if (Date.now() - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = Date.now();
    console.log(`${name}: ${how} after ${Math.round((reportedAt - began) / 1000)} s`);
  };
  try {
    return await Promise.race([work(tell), late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Times that clients are promised.
 *
 * A machine that others use too keeps no times: tests see that something happens, and `npm run faults`, on a machine at
 * rest, how soon.
 */
export const IS_TIMED = process.env['FAULT_ROUNDS'] !== undefined;

export function expectSoon(tookMs: number, promisedMs: number): void {
  if (IS_TIMED) expect(tookMs).toBeLessThan(promisedMs);
}

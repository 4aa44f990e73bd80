/**
 * Response times that clients are promised. A busy machine keeps none of them: tests check that something happens, and
 * `npm run faults`, on an idle machine, how soon.
 */
export const IS_TIMED = process.env['FAULT_ROUNDS'] !== undefined;

export function expectSoon(tookMs: number, promisedMs: number): void {
  if (IS_TIMED) expect(tookMs).toBeLessThan(promisedMs);
}

/**
 * How long a test searches for counter-examples. What it finds depends on our code, and the installed Node searches for
 * the full time. The other releases search a quarter as long: enough to see that the test works there.
 */
export const tries = (count: number): number => (process.env['TEST_SEARCH'] === 'short' ? Math.ceil(count / 4) : count);

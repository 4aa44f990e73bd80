/**
 * How long a test searches for counter-examples.
 *
 * What it finds depends on our code, and the Node that runs every test searches as long as it says. The other releases
 * of a whole run search a quarter as long: enough to see that the test works there.
 */
export const tries = (count: number): number => (process.env['TEST_SEARCH'] === 'short' ? Math.ceil(count / 4) : count);

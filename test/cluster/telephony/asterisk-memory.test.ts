import { hasPrograms } from '../../../scripts/lib/test/test-programs';
import { until } from '../../support/until';
import { ASTERISK, openAsteriskStack, type AsteriskStack } from './asterisk-stack';

const PATH = `/instances/${ASTERISK}/bulks/extensions`;

(hasPrograms(['asterisk']) ? describe : describe.skip)('Real Asterisk that keeps its objects in memory', () => {
  let stack: AsteriskStack;
  beforeAll(async () => void (stack = await openAsteriskStack('memory')));
  afterAll(() => stack.close());

  test('An Asterisk endpoint with a channel variable of an earlier release is created again, as is one lost in a restart', async () => {
    const { owner } = stack.people;
    const drift = async () => (await owner('POST', `/instances/${ASTERISK}/drift`)).body;
    const made = (await owner('POST', PATH, { data: { id: 401, name: 'First' } })).body;
    await stack.pjsip('PUT', 'endpoint/401', { set_var: 'PARTYLINE_OPERATION=x' });
    // Asterisk accepts no further change of it.
    expect((await stack.pjsip('PUT', 'endpoint/401', { context: 'x' })).status).toBe(500);
    expect((await owner('PATCH', `${PATH}/${made._id}`, { data: { name: 'Second' } })).status).toBe(200);
    expect((await stack.pjsip('GET', 'endpoint/401')).attributes['callerid']).toBe('"Second" <401>');
    expect(await drift()).toMatchObject({ changed: [], missing: [], is_complete: true });
    await stack.kill();
    await stack.start();
    // It may still be starting.
    const report = await until(drift, ({ detail }) => detail === '');
    expect(report).toMatchObject({ missing: [401], repaired: [401], is_complete: true });
    expect(await stack.objectsOf(401)).toEqual(['auth', 'aor', 'endpoint']);
  });
});

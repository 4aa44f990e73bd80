import { INSTANCE_ONE } from '../../api/telephony/people';
import { axeFindings } from '../../support/browser/axe';
import { hasBrowser, openBrowser, type TestBrowser, type TestPage } from '../../support/browser/browser';
import { openTelephony, type TelephonyStack } from '../../support/telephony/telephony';
import { until } from '../../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;
const PBX = `/instances/${INSTANCE_ONE}`;

inBrowser('What a PBX has beside extensions, in the portal', () => {
  let stack: TelephonyStack;
  let browser: TestBrowser;

  beforeAll(async () => {
    stack = await openTelephony();
    browser = await openBrowser();
    const { owner, ids } = stack.people;
    for (const [id, name, user] of [
      [101, 'Front desk', ids.owner],
      [102, 'Workshop', ids.member],
    ] as const) {
      const made = await owner('POST', `${PBX}/bulks/extensions`, { data: { id, name }, user: { id: user } });
      expect(made.status).toBe(201);
    }
  });
  afterAll(async () => {
    await browser.close();
    await stack.close();
  });

  const enter = async (part: string, heading: string, options = {}, name = 'Olive Owner'): Promise<TestPage> => {
    const page = await browser.page(options);
    await page.goto(`http://127.0.0.1:${stack.node.port}/portal/${part}`);
    await page.getByRole('button', { name }).click();
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    return page;
  };
  const saved = (page: TestPage) => page.getByText('Saved').first().waitFor();

  test('An owner makes a ring group, leads a number to it, and takes both away again', async () => {
    const page = await enter('groups', 'Ring groups');
    await page.getByText('There are no ring groups yet').waitFor();
    await page.getByRole('button', { name: 'Add a ring group' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a ring group' });
    await dialog.getByLabel('Number').fill('600');
    await dialog.getByLabel('Name').fill('Sales');
    const members = dialog.getByRole('combobox', { name: 'Members', exact: true });
    await members.fill('101');
    await members.press('Enter');
    await members.fill('+1 555 010 0003');
    await members.press('Enter');
    // Ends the suggestions.
    await dialog.getByLabel('Prefix').click();
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    const group = page.getByRole('row').filter({ hasText: 'Sales' });
    await group.filter({ hasText: '101, +15550100003' }).filter({ hasText: 'All at once' }).waitFor();

    await page.getByRole('navigation').first().getByRole('link', { name: 'Numbers' }).click();
    await page.getByRole('button', { name: 'Add a number' }).click();
    const number = page.getByRole('dialog', { name: 'Add a number' });
    await number.getByLabel('Number').fill('+1 555 010 0009');
    await number.getByRole('combobox', { name: 'Calls go to' }).click();
    await page.getByRole('option', { name: 'Ring group 600 · Sales' }).click();
    await number.getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('row').filter({ hasText: '+15550100009' });
    await row.filter({ hasText: 'Ring group 600 · Sales' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);

    await page.getByRole('navigation').first().getByRole('link', { name: 'Ring groups' }).click();
    const remove = async (of: typeof row) => {
      await of.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    };
    await remove(group);
    await page.getByRole('alert').filter({ hasText: 'number +15550100009' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('navigation').first().getByRole('link', { name: 'Numbers' }).click();
    await remove(row);
    await page.getByText('No number leads anywhere yet.').waitFor();
    await page.getByRole('navigation').first().getByRole('link', { name: 'Ring groups' }).click();
    await remove(group);
    await page.getByText('There are no ring groups yet').waitFor();
    expect(page.troubles).toEqual([]);
    await page.context().close();
  });

  test('A member forwards their extension, sees what the telephone has changed, and calls a colleague by a click', async () => {
    const page = await enter(`extensions/${INSTANCE_ONE}`, 'Extensions', {}, 'Max Member');
    const own = page.getByRole('row').filter({ hasText: 'Workshop' });
    const open = async () => {
      await own.getByRole('button', { name: 'Forwards' }).click();
      return page.getByRole('dialog', { name: 'Forwards of 102' });
    };
    const dialog = await open();
    await dialog.getByLabel('Do not disturb').check({ force: true });
    await dialog.getByLabel('Forward if busy to').fill('101');
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await saved(page);
    await fetch(`${stack.pbx.url}${PBX}/forwards/102`, {
      method: 'PUT',
      body: JSON.stringify({ number: 102, do_not_disturb: false, always: null, busy: '101', no_answer: null }),
    });
    expect((await stack.people.owner('POST', `${PBX}/drift`)).status).toBe(200);
    const again = await open();
    await again.getByText('Changed last at the telephone.').waitFor();
    expect(await again.getByLabel('Do not disturb').isChecked()).toBe(false);
    expect(await again.getByLabel('Forward if busy to').inputValue()).toBe('101');
    await page.keyboard.press('Escape');
    expect(await own.getByRole('button', { name: 'Call 102' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Call 101' }).click();
    await page.getByText('Your telephone rings; then 101 is called.').waitFor();
    const calls = () => stack.worker.mysql('tel_operations').where({ object: 'call', state: 'succeeded' }).pluck('id');
    await until(calls, (ids: string[]) => ids.length === 1);
    expect(page.troubles).toEqual([]);
    await page.context().close();
  });

  test.each(['light', 'dark'] as const)('The pages fit a telephone in %s colours', async (colorScheme) => {
    const group = { number: 610, name: 'Everybody in the workshop', members: ['101', '102', '+15550100003'] };
    const made = await stack.people.owner('POST', `${PBX}/ring-groups`, group);
    for (const [part, heading] of [
      ['groups', 'Ring groups'],
      ['numbers', 'Numbers'],
    ] as const) {
      const page = await enter(part, heading, { viewport: { width: 360, height: 740 }, colorScheme });
      await page.getByRole('button', { name: /^Add / }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
      await page.context().close();
    }
    await stack.people.owner('DELETE', `${PBX}/ring-groups/${made.body.id}`);
  });
});

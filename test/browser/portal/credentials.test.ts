import { INSTANCE_ONE } from '../../api/telephony/people';
import { axeFindings } from '../../support/browser/axe';
import { hasBrowser, openBrowser, type TestBrowser, type TestPage } from '../../support/browser/browser';
import { openTelephony, type TelephonyStack } from '../../support/telephony/telephony';

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser('Passwords of telephones, in the portal', () => {
  let stack: TelephonyStack;
  let browser: TestBrowser;

  beforeAll(async () => {
    stack = await openTelephony();
    const { owner, ids } = stack.people;
    const list = `/instances/${INSTANCE_ONE}/bulks/extensions`;
    await owner('POST', list, { data: { id: 2101, name: 'Max’s desk' }, user: { id: ids.member } });
    await owner('POST', list, { data: { id: 2102, name: 'The hall' } });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await stack.close();
  });

  const enter = async (name: string): Promise<TestPage> => {
    const page = await browser.page();
    await page.goto(`http://127.0.0.1:${stack.node.port}/portal/extensions`);
    await page.getByRole('button', { name }).click();
    await page.getByRole('heading', { level: 1, name: 'Extensions' }).waitFor();
    return page;
  };
  const row = (page: TestPage, text: string) => page.getByRole('row').filter({ hasText: text });
  const secretAt = async (number: number): Promise<string> =>
    (await stack.pbx.holds(INSTANCE_ONE)).find((each) => each.number === number)!.secret;

  test('People see that of their own telephone, and the owner gives a new one, which the PBX has', async () => {
    const max = await enter('Max Member');
    await row(max, 'The hall').waitFor();
    expect(await row(max, 'The hall').getByRole('button', { name: 'Telephone' }).count()).toBe(0);
    await row(max, 'Max’s desk').getByRole('button', { name: 'Telephone' }).click();
    const before = await secretAt(2101);
    await max.getByRole('dialog', { name: 'Extension 2101: data for the telephone' }).getByText(before).waitFor();
    await max.context().close();

    const owner = await enter('Olive Owner');
    await row(owner, 'Max’s desk').getByRole('button', { name: 'Telephone' }).click();
    const dialog = owner.getByRole('dialog', { name: 'Extension 2101: data for the telephone' });
    await dialog.getByText(before).waitFor();
    expect(await axeFindings(owner, { within: '[role=dialog]' })).toEqual([]);
    await dialog.getByRole('button', { name: 'New password' }).click();
    await owner
      .getByRole('dialog', { name: 'Give extension 2101 a new password?' })
      .getByRole('button', { name: 'New password' })
      .click();
    await dialog.getByText(before).waitFor({ state: 'detached' });
    const after = await secretAt(2101);
    expect(after).toMatch(/^[0-9a-f]{32}$/);
    expect(after).not.toBe(before);
    await dialog.getByText(after).waitFor();

    await owner.keyboard.press('Escape');
    await owner.getByRole('navigation').first().getByRole('link', { name: 'Audit trail' }).click();
    await row(owner, 'Password of a telephone shown').filter({ hasText: 'Max Member' }).waitFor();
    expect(owner.troubles).toEqual([]);
    await owner.context().close();
  });
});

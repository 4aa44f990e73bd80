import { COLOURS, axeFindings } from '../support/browser/axe';
import { hasBrowser, openBrowser, type TestBrowser, type TestPage } from '../support/browser/browser';
import { operator } from '../support/operators';
import { outOfSight } from '../support/browser/out-of-sight';
import { smallTargets, TELEPHONES } from '../support/browser/targets';
import { openTelephony, type TelephonyStack } from '../support/telephony/telephony';
import { until } from '../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;
const VENDOR = '00000000-0000-4000-8000-000000000001';

inBrowser('Connections and operators in the console', () => {
  let stack: TelephonyStack;
  let browser: TestBrowser;
  let page: TestPage;

  beforeAll(async () => {
    stack = await openTelephony();
    await operator(stack.node.kernel, stack.node, 'ada', 'full');
    browser = await openBrowser();
    page = await browser.page();
  });
  afterAll(async () => {
    await browser.close();
    await stack.close();
  });

  const show = (on: TestPage, path: string) => on.evaluate((to) => history.pushState(null, '', to), path);
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  const dialog = () => page.getByRole('dialog');

  test('An operator adds a company, connects its PBX, reads what is wrong, corrects it and disconnects it', async () => {
    await page.goto(`${stack.node.url}/ops/tenants`);
    await page.getByRole('button', { name: /^ada/ }).click();
    const add = page.getByRole('region', { name: 'Add a tenant' });
    await add.getByRole('combobox', { name: 'Kind' }).selectOption('company');
    await add.getByRole('textbox', { name: 'Name of the tenant' }).fill('Sparrow Ltd');
    await add.getByRole('textbox', { name: 'Email of its owner' }).fill('jo@sparrow.example');
    await add.getByRole('button', { name: 'Add' }).click();
    await add.getByText('jo@sparrow.example was sent an invitation').waitFor();

    await page.getByRole('navigation').getByRole('link', { name: 'Connections' }).click();
    await row('Example Telecom').first().waitFor();
    await page.getByRole('button', { name: 'Connect a PBX' }).click();
    await dialog().getByRole('combobox', { name: 'Company' }).fill('Sparr');
    await page.getByRole('option', { name: 'Sparrow Ltd' }).click();
    await dialog().getByRole('combobox', { name: 'Type' }).selectOption('freepbx');
    await dialog().getByRole('button', { name: 'Connect' }).click();
    await dialog().getByRole('textbox', { name: 'Address' }).fill(`${stack.pbx.url}/freepbx/${VENDOR}`);
    await dialog().getByLabel('Credentials', { exact: true }).fill('partyline:canary-4711');
    expect(await axeFindings(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Connect' }).click();
    await dialog().getByText('It is stored.').waitFor();
    await dialog().getByRole('button', { name: 'Test the connection' }).click();
    await dialog().getByText('The PBX refuses our credentials').waitFor();
    await dialog().getByText('Close', { exact: true }).click();
    await row('Sparrow Ltd').getByText('Failing', { exact: true }).waitFor();

    await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).click();
    const found = page.getByRole('region', { name: 'What is wrong' }).getByRole('listitem');
    const finding = found.filter({ hasText: 'Sparrow Ltd, Main office (freepbx' });
    await finding
      .filter({ hasText: 'The PBX refuses our credentials' })
      .getByRole('link', { name: 'Connections' })
      .click();

    await row('Sparrow Ltd')
      .getByRole('button', { name: /^Change: / })
      .click();
    const domain = dialog().getByRole('textbox', { name: 'Domain that telephones register at' });
    await domain.fill('sip.sparrow.example');
    expect(await dialog().getByLabel('Credentials', { exact: true }).inputValue()).toBe('');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().getByText('Close', { exact: true }).click();
    await row('Sparrow Ltd')
      .getByRole('button', { name: /^Disconnect: / })
      .click();
    await dialog().getByRole('button', { name: 'Disconnect' }).click();
    await until(async () => (await row('Sparrow Ltd').count()) === 0);
    expect(await page.content()).not.toContain('canary');
  });

  test('A carrier account says its webhook once it is connected', async () => {
    await page.getByRole('button', { name: 'Connect a carrier' }).click();
    await dialog().getByRole('combobox', { name: 'Company' }).click();
    await page.getByRole('option', { name: 'Sparrow Ltd' }).click();
    await dialog().getByRole('combobox', { name: 'Type' }).selectOption('telnyx');
    await dialog().getByLabel('api_key').fill('canary-0815');
    await dialog().getByLabel('public_key').fill('public');
    await dialog().getByRole('textbox', { name: 'Numbers to text from' }).fill('+15550100777\nnothing');
    await dialog().getByRole('button', { name: 'Connect' }).click();
    await dialog().getByText('"nothing" is no telephone number').waitFor();
    await dialog().getByRole('textbox', { name: 'Numbers to text from' }).fill('+15550100777');
    await dialog().getByRole('button', { name: 'Connect' }).click();
    await dialog()
      .getByText(/\/webhooks\/texting\/telnyx\/\w{40}$/)
      .waitFor();
    await page.keyboard.press('Escape');
    await row('telnyx (+15550100777)').getByText('Not called yet').first().waitFor();
  });

  test('Operators are added, given another key and removed; the page fits a phone in light and dark', async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'Operators' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Grace');
    await page.getByRole('button', { name: 'Add' }).click();
    await dialog()
      .getByText(/^\w{40}$/)
      .waitFor();
    await page.keyboard.press('Escape');
    await row('Grace').getByRole('button', { name: 'Let change: Grace' }).click();
    await row('Grace').getByText('may look and change').waitFor();
    await row('Grace').getByRole('button', { name: 'Remove: Grace' }).click();
    await dialog().getByRole('button', { name: 'Remove' }).click();
    await until(async () => (await row('Grace').count()) === 0);
    expect(
      await row('ada')
        .getByRole('button', { name: /^Remove/ })
        .count(),
    ).toBe(0);

    const found: string[] = [];
    const narrow = await browser.page({
      viewport: TELEPHONES.upright,
      hasTouch: true,
      isMobile: true,
      reducedMotion: 'reduce',
    });
    await narrow.goto(`${stack.node.url}/ops`);
    await narrow.getByRole('button', { name: /^ada/ }).click();
    for (const colorScheme of ['light', 'dark'] as const) {
      await narrow.emulateMedia({ colorScheme });
      await narrow.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
      for (const path of ['connections', 'operators']) {
        await show(narrow, `/ops/${path}`);
        await narrow.getByRole('row').nth(1).waitFor();
        found.push(...(await axeFindings(narrow, { rules: colorScheme === 'dark' ? COLOURS : undefined })));
        found.push(...(await outOfSight(narrow)), ...(await smallTargets(narrow)));
      }
    }
    expect(found).toEqual([]);
    expect([...narrow.troubles, ...page.troubles]).toEqual([]);
    await narrow.context().close();
  });
});

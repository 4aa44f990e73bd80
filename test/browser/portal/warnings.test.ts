import { hasBrowser, openBrowser, type TestBrowser, type TestPage } from '../../support/browser/browser';
import { openTelephony, type TelephonyStack } from '../../support/telephony/telephony';

const inBrowser = hasBrowser ? describe : describe.skip;
const LOST = 'description: is kept here, but this kind of PBX (freepbx) does not take it';

inBrowser('What a PBX does not take, in the portal', () => {
  let stack: TelephonyStack;
  let browser: TestBrowser;

  beforeAll(async () => {
    stack = await openTelephony({}, 'freepbx');
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
  const dialog = (page: TestPage, name: string | RegExp) => page.getByRole('dialog', { name });
  const row = (page: TestPage, text: RegExp) => page.getByRole('row').filter({ hasText: text });

  test('The forms and the CSV results show the fields that the PBX does not support', async () => {
    const page = await enter('Olive Owner');
    await page.getByRole('button', { name: 'Add an extension' }).click();
    const form = dialog(page, 'Add an extension');
    await form.getByRole('textbox', { name: 'Number' }).fill('2001');
    await form.getByRole('textbox', { name: 'Name' }).fill('Front desk');
    await form.getByRole('textbox', { name: 'Description' }).fill('In the hall');
    await form.getByRole('button', { name: 'Add an extension' }).click();
    await dialog(page, /^Extension 2001/)
      .getByText(`data.${LOST}`)
      .waitFor();
    await page.keyboard.press('Escape');
    await row(page, /^2001/).getByText('The PBX does not say whether a telephone is registered').waitFor();

    await row(page, /^2001/).getByRole('button', { name: 'Edit' }).click();
    const edit = dialog(page, /2001/);
    await edit.getByRole('textbox', { name: 'Description' }).fill('Upstairs');
    await edit.getByRole('button', { name: 'Save' }).click();
    await dialog(page, /2001/).getByText(`data.${LOST}`).waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('navigation').first().getByRole('link', { name: 'Load from CSV' }).click();
    const csv = 'extension,name,description\r\n2002,Back door,Outside\r\n';
    const file = { name: 'export.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: 'Try it without changing anything' }).click();
    await row(page, /2002/).getByText(LOST).waitFor();
    await page.getByRole('button', { name: 'Load 1 line' }).click();
    await page.getByText('Finished: 1 line').waitFor({ timeout: 60_000 });
    await row(page, /2002/).getByText(LOST).waitFor();
    expect(page.troubles).toEqual([]);
    await page.context().close();
  });

  test('A member sees at the field that a caller id does not belong to the company', async () => {
    const page = await enter('Max Member');
    await page.getByRole('button', { name: 'Add an extension' }).click();
    const form = dialog(page, 'Add an extension');
    await form.getByRole('textbox', { name: 'Number' }).fill('2003');
    await form.getByRole('textbox', { name: 'Name' }).fill('Mine');
    const callerId = form.getByRole('textbox', { name: 'Caller' });
    await callerId.fill('"Police" <911>');
    await form.getByRole('button', { name: 'Add an extension' }).click();
    await form.getByText('is not a number of the company, and only the primary user may set another').waitFor();
    await callerId.fill('');
    await form.getByRole('button', { name: 'Add an extension' }).click();
    await dialog(page, /^Extension 2003/).waitFor();
    await page.context().close();
  });
});

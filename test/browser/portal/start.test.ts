import { INSTANCE_ONE } from '../../api/telephony/people';
import { axeFindings } from '../../support/browser/axe';
import { hasBrowser, openBrowser, type TestBrowser, type TestPage } from '../../support/browser/browser';
import { openTelephony, type TelephonyStack } from '../../support/telephony/telephony';

const inBrowser = hasBrowser ? describe : describe.skip;
const LIST = `/instances/${INSTANCE_ONE}/bulks/extensions`;

inBrowser('The overview of the portal', () => {
  let stack: TelephonyStack;
  let browser: TestBrowser;

  beforeAll(async () => {
    stack = await openTelephony();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await stack.close();
  });

  const enter = async (name: string): Promise<TestPage> => {
    const page = await browser.page();
    await page.goto(`http://127.0.0.1:${stack.node.port}/portal`);
    await page.getByRole('button', { name }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    return page;
  };

  test('A new company is led to its first extension, and then sees how its PBX is', async () => {
    const page = await enter('Olive Owner');
    const steps = page.getByRole('listitem');
    await steps.filter({ hasText: 'Connect a PBX' }).filter({ hasText: '(done)' }).waitFor();
    await steps.getByRole('link', { name: 'Add the first extension' }).click();
    await page.getByRole('heading', { level: 1, name: 'Extensions' }).waitFor();

    const { people } = stack;
    const { status } = await people.owner('POST', LIST, {
      data: { id: 2301, name: 'Front desk' },
      user: { id: people.ids.member },
    });
    expect(status).toBe(201);
    const overview = () => page.getByRole('navigation').first().getByRole('link', { name: 'Overview' }).click();
    const card = (text: string) =>
      page.getByRole('link').filter({ hasText: 'One extension' }).filter({ hasText: text });
    await overview();
    await card('Not compared yet').waitFor();
    expect(await page.getByRole('heading', { name: 'Next steps' }).count()).toBe(0);
    expect((await people.owner('POST', `/instances/${INSTANCE_ONE}/drift`)).status).toBe(200);
    await page.reload();
    await card('All as stored here').waitFor();
    await page.getByRole('link').filter({ hasText: 'All texts are read.' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(page.troubles).toEqual([]);
    await page.context().close();
  });

  test('A member sees their own extension, and not how the PBX is', async () => {
    const page = await enter('Max Member');
    await page.getByRole('link').filter({ hasText: '2301' }).filter({ hasText: 'Front desk' }).click();
    await page.getByRole('row').filter({ hasText: '2301' }).waitFor();
    expect(page.troubles).toEqual([]);
    await page.context().close();
  });
});

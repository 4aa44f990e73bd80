import { inboundText, postAsCarrier } from '../../api/telephony/texting/carrier-requests';
import { axeFindings, COLOURS } from '../../support/browser/axe';
import { hasBrowser, openBrowser, type TestBrowser } from '../../support/browser/browser';
import { outOfSight } from '../../support/browser/out-of-sight';
import { startWorkers } from '../../support/kernel/workers';
import { openTelephony, type TelephonyStack } from '../../support/telephony/telephony';

const inBrowser = hasBrowser ? describe : describe.skip;
const FROM = '+15550105551';
/** More than a page of the list. */
const TEXTS = 120;

inBrowser('Search and notes in the portal', () => {
  let stack: TelephonyStack;
  let browser: TestBrowser;

  beforeAll(async () => {
    stack = await openTelephony();
    await startWorkers(stack.cluster, 'texting-inbound');
    browser = await openBrowser();
    const receive = (text: string) => postAsCarrier(stack.node, inboundText({ from: FROM, text }));
    await receive('My order number is 4711-B.');
    for (let at = 0; at < TEXTS; at += 1) await receive(`and then ${at}`);
  });
  afterAll(async () => {
    await browser.close();
    await stack.close();
  });

  test('A word of an old text leads to it', async () => {
    const page = await browser.page({ viewport: { width: 1280, height: 800 } });
    await page.goto(`http://127.0.0.1:${stack.node.port}/portal/texting`);
    await page.getByRole('button', { name: 'Olive Owner' }).click();
    await page.getByRole('link', { name: `Texting ${TEXTS + 1} unread` }).waitFor({ timeout: 300_000 });
    // Read as a whole, so that it opens at its end.
    await page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name: FROM }).click();
    await page
      .getByRole('link', { name: /unread/ })
      .first()
      .waitFor({ state: 'detached', timeout: 60_000 });
    await page.reload();

    const search = page.getByRole('searchbox', { name: 'Search for conversations and texts' });
    await search.fill('no such words');
    await page.getByText('No text has these words.').waitFor();
    await search.fill('4711-b');
    const found = page.getByRole('region', { name: 'In texts' }).getByRole('link');
    await found.filter({ hasText: 'My order number is 4711-B.' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeFindings(page, { rules: COLOURS })).toEqual([]);
    await found.click();
    const text = page.getByRole('article').filter({ hasText: 'My order number is 4711-B.' });
    await text.waitFor();
    expect(await text.getAttribute('aria-current')).toBe('true');
    await page.waitForFunction(() => {
      const { top, bottom } = document.querySelector('[data-found]')!.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await outOfSight(page)).toEqual([]);
    expect(page.troubles).toEqual([]);
  }, 600_000);

  test('A note about a conversation is seen by a colleague, on a telephone too', async () => {
    const enter = async (name: string, width: number) => {
      const page = await browser.page({ viewport: { width, height: 740 } });
      await page.goto(`http://127.0.0.1:${stack.node.port}/portal/texting`);
      await page.getByRole('button', { name }).click();
      await page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name: FROM }).click();
      return page;
    };
    const owner = await enter('Olive Owner', 1280);
    await owner.getByRole('button', { name: '0 notes' }).click();
    await owner.getByRole('textbox', { name: 'New note' }).fill('Wants a refund.');
    await owner.getByRole('button', { name: 'Add the note' }).click();
    await owner.getByRole('dialog').getByText('Wants a refund.').first().waitFor();

    const max = await enter('Max Member', 360);
    await max.getByRole('button', { name: '1 note' }).click();
    const note = max.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Wants a refund.' });
    await note.filter({ hasText: 'Olive Owner' }).waitFor();
    expect(await note.getByRole('button').count()).toBe(0);
    expect(await axeFindings(max, { within: '[role=dialog]' })).toEqual([]);
    await max.keyboard.press('Escape');
    expect(await outOfSight(max)).toEqual([]);

    await owner.getByRole('button', { name: 'Delete the note' }).click();
    await owner.getByRole('dialog').getByRole('listitem').waitFor({ state: 'detached' });
    expect([owner.troubles, max.troubles]).toEqual([[], []]);
  });
});

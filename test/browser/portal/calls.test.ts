import { INSTANCE_ONE } from '../../api/telephony/people';
import { axeFindings } from '../../support/browser/axe';
import { hasBrowser, openBrowser, type TestBrowser } from '../../support/browser/browser';
import { callRecord, storeCalls } from '../../support/telephony/calls/stored-calls';
import { openTelephony, type TelephonyStack } from '../../support/telephony/telephony';

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser('The calls of the portal', () => {
  let stack: TelephonyStack;
  let browser: TestBrowser;

  beforeAll(async () => {
    stack = await openTelephony();
    browser = await openBrowser();
    const many = Array.from({ length: 60 }, () => callRecord());
    const missed = { outcome: 'unanswered', answeredBy: '', talkSeconds: 0 } as const;
    await storeCalls(stack.worker, INSTANCE_ONE, [
      ...many,
      callRecord({ from: '+15551234567', fromName: 'Bea Outside', direction: 'inbound', ...missed }),
      callRecord({ recording: 'partyline/main/20261119/1.1', talkSeconds: 65 }),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await stack.close();
  });

  test('The history is filtered, goes on, and is saved as a file', async () => {
    const page = await browser.page();
    await page.goto(`http://127.0.0.1:${stack.node.port}/portal`);
    await page.getByRole('button', { name: 'Olive Owner' }).click();
    await page.getByRole('navigation').first().getByRole('link', { name: 'Calls' }).click();
    await page.getByText('Nobody is on the phone.').waitFor();
    const rows = page.getByRole('region', { name: 'History' }).getByRole('row');
    await rows
      .filter({ hasText: '1:05' })
      .getByRole('button', { name: /^Hear the call of/ })
      .waitFor();
    expect(await rows.count()).toBe(51);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show more' }).click();
    await rows.nth(62).waitFor();
    await page.getByRole('textbox', { name: 'Number' }).fill('+15551234567');
    await rows.filter({ hasText: 'Bea Outside' }).filter({ hasText: 'Not answered' }).waitFor();
    await rows.nth(2).waitFor({ state: 'detached' });
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('calls.csv');
    expect(page.troubles).toEqual([]);
    await page.context().close();
  });

  test('The owner says how long calls are kept, and is told what cannot be', async () => {
    const page = await browser.page();
    await page.goto(`http://127.0.0.1:${stack.node.port}/portal`);
    await page.getByRole('button', { name: 'Olive Owner' }).click();
    await page.getByRole('navigation').first().getByRole('link', { name: 'Calls' }).click();
    const form = page.locator('section', { hasText: 'How long calls are kept' });
    const [calls, recordings] = ['Calls: days', 'Recordings: days'].map((name) => form.getByLabel(name));
    await calls!.fill('30');
    await recordings!.fill('60');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('must not be more than keep_days').waitFor();
    await recordings!.fill('');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').first().waitFor();
    const { body } = await stack.people.owner('GET', '/calls/retention');
    expect(body).toEqual({ keep_days: 30, keep_recordings_days: null });
    expect(page.troubles).toEqual([]);
    await page.context().close();
  });
});

import { DEMO_TWO, inboundText, postAsCarrier } from '../../api/telephony/texting/carrier-requests';
import { axeFindings } from '../../support/browser/axe';
import { hasBrowser, openBrowser, type TestBrowser, type TestPage } from '../../support/browser/browser';
import { startWorkers } from '../../support/kernel/workers';
import { openTelephony, type TelephonyStack } from '../../support/telephony/telephony';
import { until } from '../../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;
/** More than two pages of the list. */
const TEXTS = 230;

inBrowser('Texting in the portal', () => {
  let stack: TelephonyStack;
  let browser: TestBrowser;

  beforeAll(async () => {
    stack = await openTelephony();
    await startWorkers(stack.cluster, 'texting-inbound', 'texting-outbound');
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await stack.close();
  });

  const receive = (from: string, text: string) => postAsCarrier(stack.node, inboundText({ from, text }));
  const enter = async (name = 'Olive Owner', viewport = { width: 1280, height: 800 }): Promise<TestPage> => {
    const page = await browser.page({ viewport });
    await page.goto(`http://127.0.0.1:${stack.node.port}/portal/texting`);
    await page.getByRole('button', { name }).click();
    await page.getByRole('heading', { level: 1, name: 'Texting' }).waitFor();
    return page;
  };
  const openConversation = (page: TestPage, name: string) =>
    page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name }).click();
  const article = (page: TestPage, text: string | RegExp) => page.getByRole('article').filter({ hasText: text });
  const log = (page: TestPage) => page.getByRole('log', { name: 'Messages' });

  test('A long conversation opens at its first unread text, is read whole, and shows its history on the way up', async () => {
    const from = '+15550102222';
    for (let at = 0; at < TEXTS; at += 1) await receive(from, `history ${at} of many`);
    const page = await enter();
    await page.getByRole('link', { name: `Texting ${TEXTS} unread` }).waitFor({ timeout: 300_000 });
    await openConversation(page, from);
    await page.getByRole('separator').filter({ hasText: 'New' }).waitFor();
    await article(page, 'history 0 of many').waitFor();
    expect(await page.getByRole('article').count()).toBe(TEXTS);
    await until(async () => (await page.getByRole('link', { name: /unread/ }).count()) === 0);

    // Opened once more, it starts at the end and loads what is scrolled to.
    await page.reload();
    await article(page, `history ${TEXTS - 1} of many`).waitFor();
    expect(await article(page, 'history 0 of many').count()).toBe(0);
    await until(async () => {
      await log(page).evaluate((list) => void (list.scrollTop = 0));
      return (await article(page, 'history 0 of many').count()) === 1;
    });
    expect(await page.getByRole('article').count()).toBe(TEXTS);
    expect(page.troubles).toEqual([]);
    await page.context().close();
  }, 900_000);

  test('Who reads further up stays there while a receipt is awaited, and gets to the end by a button', async () => {
    const from = '+15550103333';
    const tall = Array.from({ length: 30 }, (_, line) => `line ${line}`).join('\n');
    for (let at = 0; at < 4; at += 1) await receive(from, `Text ${at}: ${tall}`);
    const page = await enter();
    await openConversation(page, from);
    await article(page, 'Text 3: ').waitFor();
    // The carrier does not report what becomes of the text, so the page goes on asking.
    await page.route('**/messages', async (route) => {
      const answer = await route.fetch();
      if (route.request().method() !== 'POST') return route.fulfill({ response: answer });
      const sent = (await answer.json()) as object;
      return route.fulfill({ response: answer, json: { ...sent, status: 'sent' } });
    });
    await page.route('**/messages?after=*', async (route) => {
      const answer = await route.fetch();
      const texts = (await answer.json()) as { direction: string }[];
      const json = texts.map((text) => (text.direction === 'outbound' ? { ...text, status: 'sent' } : text));
      return route.fulfill({ response: answer, json });
    });
    await page.getByRole('textbox', { name: 'Write a message' }).fill('We read this.');
    await page.getByRole('textbox', { name: 'Write a message' }).press('Control+Enter');
    await article(page, 'We read this.').filter({ hasText: 'You' }).filter({ hasText: 'Sent' }).waitFor();
    await log(page).evaluate((list) => void (list.scrollTop = 40));
    await page.getByRole('button', { name: 'To the newest' }).waitFor();
    for (let at = 0; at < 2; at += 1) await page.waitForResponse(/messages\?after=/);
    expect(await log(page).evaluate((list) => list.scrollTop)).toBe(40);
    await page.getByRole('button', { name: 'To the newest' }).click();
    await until(() => log(page).evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight < 2));

    // A colleague sees who answered.
    const other = await enter('Max Member', { width: 360, height: 740 });
    await openConversation(other, from);
    await article(other, 'We read this.').filter({ hasText: 'Olive Owner' }).waitFor();
    expect(await axeFindings(other)).toEqual([]);
    await other.context().close();
    await page.context().close();
  }, 300_000);

  test('The length is counted as the carrier counts it, and nothing is cut without a word', async () => {
    const from = '+15550104444';
    await receive(from, 'How long is it?');
    const page = await enter();
    await openConversation(page, from);
    const box = page.getByRole('textbox', { name: 'Write a message' });
    await box.fill('x'.repeat(161));
    await page.getByText('161 of 1600 characters, sent as 2 texts').waitFor();
    await box.fill('Grüße 🎉');
    await page.getByText('With these characters, fewer fit into a text.').waitFor();
    await box.fill('x'.repeat(1601));
    await page.getByText('The text is too long: shorten it, or send it in two.').waitFor();
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
    expect((await box.inputValue()).length).toBe(1601);
    // What was begun is there again after a reload, and gone once it was sent.
    const isKept = (text: string) =>
      page.waitForResponse((response) => {
        const request = response.request();
        return request.method() === 'PUT' && request.postDataJSON().text === text;
      });
    let kept = isKept('Two metres, I');
    await box.fill('Two metres, I');
    await kept;
    await page.reload();
    await until(async () => (await box.inputValue()) === 'Two metres, I');
    kept = isKept('');
    await box.fill('Two metres.');
    await box.press('Control+Enter');
    await article(page, 'Two metres.').waitFor();
    await kept;
    await page.reload();
    await article(page, 'Two metres.').waitFor();
    expect(await box.inputValue()).toBe('');
    await page.context().close();
  });

  test('Somebody who wants no more texts is marked before a send fails', async () => {
    const from = '+15550105555';
    await receive(from, 'Who is this?');
    const page = await enter();
    await openConversation(page, from);
    await article(page, 'Who is this?').waitFor();
    await receive(from, 'STOP');
    await page.getByText(`${from} asked for no more texts from +15550100001.`, { exact: false }).waitFor();
    await receive(from, 'START');
    await article(page, 'START').waitFor();
    await until(async () => (await page.getByText('asked for no more texts').count()) === 0);
    await page.context().close();
  });

  test('Older conversations are shown when one asks for them, also those of a search', async () => {
    const { owner } = stack.people;
    for (let at = 0; at < 101; at += 1) {
      const recipients = [`+1555020${String(at).padStart(4, '0')}`];
      expect((await owner('POST', '/texting/conversations', { recipients })).status).toBe(201);
    }
    const page = await enter();
    const list = page.getByRole('navigation', { name: 'Conversations' });
    const more = list.getByRole('button', { name: 'Show older conversations' });
    await list.getByRole('searchbox').fill('+1555020');
    await list.getByRole('link', { name: '+15550200100' }).waitFor();
    expect(await list.getByRole('link', { name: '+15550200000' }).count()).toBe(0);
    await more.click();
    await list.getByRole('link', { name: '+15550200000' }).waitFor();
    await more.waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('A company without a number for texts is told so', async () => {
    const { mysql } = stack.node.kernel;
    await mysql('tel_text_numbers').where({ e164: DEMO_TWO.number }).delete();
    const page = await enter('Oscar Other');
    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.getByText('Your company has no number to text from yet.', { exact: false }).waitFor();
    expect(await page.getByRole('button', { name: 'Begin' }).isDisabled()).toBe(true);
    await page.context().close();
  });
});

import { axeFindings } from '../support/browser/axe';
import { hasBrowser, openBrowser, signInAs, type TestBrowser, type TestPage } from '../support/browser/browser';
import { callerOf, type Caller } from '../support/chat/people';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { rectangle, type Colour } from '../support/pictures';
import { until } from '../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser('Files and hidden texts in messages', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let page: TestPage;
  let owner: Caller;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    owner = await callerOf(node, 'owner@example.com');
    for (const colour of ['red', 'blue', 'lime'] as const) await sendPicture(colour);
    for (const name of ['song.mp3', 'clip.mp4'])
      await send(`[${name}](${await upload(Buffer.from('nothing to hear'), name, 'application/octet-stream')})`);
    await send(`[plan.pdf](${await upload(Buffer.from('%PDF-1.4 nothing to read'), 'plan.pdf', 'application/pdf')})`);
    await send('```spoiler The end\nThe butler\n```');
    browser = await openBrowser();
    page = await browser.page();
    await signInAs(page, node.url, 'Max Member');
    await page.goto(`${node.url}/stream/1/topic/files`);
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  const send = (content: string) => owner.post('/messages', { type: 'stream', to: 'general', topic: 'files', content });
  async function upload(bytes: Buffer, name: string, type: string): Promise<string> {
    const form = new FormData();
    form.append('file', new Blob([bytes as BlobPart], { type }), name);
    return (await owner.ask('/user_uploads', { method: 'POST', raw: form })).body.uri as string;
  }
  async function sendPicture(colour: Colour): Promise<void> {
    const uri = await upload(await rectangle(900, 600, colour).png().toBuffer(), `${colour}.png`, 'image/png');
    await send(`[${colour}.png](${uri})`);
  }
  const viewer = () => page.getByRole('dialog', { name: 'Pictures' });
  const thumbnail = (name: string) => page.getByRole('article').getByRole('img', { name });
  const shown = (name: string) => viewer().getByRole('img', { name }).waitFor();
  const scale = () =>
    viewer()
      .getByRole('img')
      .evaluate((image) => image.getBoundingClientRect().width);

  test('A picture opens large; arrows lead to the others of the conversation', async () => {
    await thumbnail('blue.png').click();
    await shown('blue.png');
    await until(() =>
      viewer()
        .getByRole('img')
        .evaluate((image) => (image as HTMLImageElement).naturalWidth === 900),
    );
    await page.keyboard.press('ArrowRight');
    await shown('lime.png');
    expect(await viewer().getByRole('button', { name: 'Next picture' }).isVisible()).toBe(false);
    await page.keyboard.press('Home');
    await shown('red.png');
    await viewer().getByText('1 / 3').waitFor();
    expect(await axeFindings(page, { within: 'dialog' })).toEqual([]);
  });

  test('It is made larger by key, and fits again', async () => {
    const fitted = await scale();
    await page.keyboard.press('+');
    await until(async () => (await scale()) > fitted);
    await page.keyboard.press('0');
    await until(async () => (await scale()) === fitted);
  });

  test('It is made larger by the wheel, by a double click and by two fingers', async () => {
    const fitted = await scale();
    const fits = async (): Promise<void> => {
      await page.keyboard.press('0');
      await until(async () => (await scale()) === fitted);
    };
    await page.mouse.move(640, 400);
    await page.mouse.wheel(0, -200);
    await until(async () => (await scale()) > 1.2 * fitted);
    await fits();
    await page.mouse.dblclick(640, 400);
    await until(async () => (await scale()) > 2 * fitted);
    await fits();
    const hand = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: number[]) =>
      hand.send('Input.dispatchTouchEvent', { type, touchPoints: points.map((x, id) => ({ x, y: 400, id })) });
    await touch('touchStart', 600, 680);
    for (const apart of [60, 80, 100, 120]) await touch('touchMove', 640 - apart, 640 + apart);
    await touch('touchEnd');
    // The fingers are three times as far from each other.
    await until(async () => Math.abs((await scale()) / fitted - 3) < 0.2);
    await shown('red.png');
    await fits();
    await hand.detach();
  });

  test('It can be downloaded under its name', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      viewer().getByRole('link', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('red.png');
  });

  test('Escape closes it and gives the focus back; with a modifier key the link opens a tab', async () => {
    await page.keyboard.press('Escape');
    await viewer().waitFor({ state: 'detached' });
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('href') ?? '');
    expect(await focused()).toMatch(/blue\.png$/);
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      thumbnail('red.png').click({ modifiers: ['Control'] }),
    ]);
    await tab.close();
    expect(await viewer().count()).toBe(0);
  });

  test('A finger that swipes leads to the picture beside', async () => {
    await thumbnail('red.png').click();
    await shown('red.png');
    const hand = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
      hand.send('Input.dispatchTouchEvent', { type, touchPoints: x === undefined ? [] : [{ x, y: 400 }] });
    await touch('touchStart', 700);
    for (const x of [640, 560, 500]) await touch('touchMove', x);
    await touch('touchEnd');
    await shown('blue.png');
    await page.keyboard.press('Escape');
    await viewer().waitFor({ state: 'detached' });
  });

  test('A picture is blurred until it is loaded', async () => {
    const look = () =>
      thumbnail('red.png').evaluate((image) => {
        const { filter, backgroundImage } = getComputedStyle(image);
        return [filter === 'none' ? '' : 'blurred', /size=(\w+)/.exec(backgroundImage)?.[1] ?? ''];
      });
    const held: (() => void)[] = [];
    await page.route(/\/thumbnail\?.*size=(?:small|medium)/, async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    await page.reload();
    await until(look, (seen) => seen.join() === 'blurred,tiny');
    await until(() => held.length >= 3);
    for (const release of held) release();
    await until(look, (seen) => seen.join() === ',');
    await page.unroute(/\/thumbnail\?.*size=(?:small|medium)/);
  });

  test('A picture has its room before it is loaded', async () => {
    const room = await thumbnail('red.png').evaluate((image) => {
      const { width, height, srcset } = image as HTMLImageElement;
      return [width, height, srcset];
    });
    expect(room).toEqual([300, 200, expect.stringMatching(/size=small 1x, .*size=medium 2x$/)]);
  });

  test('A dense screen loads a copy with more pixels', async () => {
    const loaded = (of: TestPage) =>
      of
        .getByRole('article')
        .getByRole('img', { name: 'red.png' })
        .evaluate((image) => /size=(\w+)/.exec((image as HTMLImageElement).currentSrc)?.[1]);
    await until(
      () => loaded(page),
      (size) => size === 'small',
    );
    const dense = await browser.page({ deviceScaleFactor: 2 });
    await signInAs(dense, node.url, 'Max Member');
    await dense.goto(`${node.url}/stream/1/topic/files`);
    await until(
      () => loaded(dense),
      (size) => size === 'medium',
    );
    await dense.context().close();
  });

  test('A PDF opens in a tab of its own, as a document that the browser shows', async () => {
    const link = page.getByRole('article').getByRole('link', { name: 'plan.pdf' });
    expect(await link.getAttribute('target')).toBe('_blank');
    const answer = await link.evaluate(async (each) => {
      const { headers, status } = await fetch((each as HTMLAnchorElement).href);
      return [status, headers.get('content-type'), headers.get('content-disposition')?.split(';')[0]];
    });
    expect(answer).toEqual([200, 'application/pdf', 'inline']);
  });

  test('Sound and film have players with names', async () => {
    const players = await page
      .locator('audio, video')
      .evaluateAll((found) =>
        found.map((each) => [each.localName, each.ariaLabel, (each as HTMLMediaElement).controls]),
      );
    expect(players).toEqual([
      ['audio', 'song.mp3', true],
      ['video', 'clip.mp4', true],
    ]);
  });

  test('A hidden text is shown by a button', async () => {
    const button = page.getByRole('button', { name: 'Hidden text' });
    const text = page.getByText('The butler');
    expect(await text.isVisible()).toBe(false);
    await button.focus();
    await page.keyboard.press('Enter');
    await text.waitFor();
    expect(await button.getAttribute('aria-expanded')).toBe('true');
    await page.getByText('The end').click();
    await text.waitFor({ state: 'hidden' });
    expect(page.troubles).toEqual([]);
  });
});

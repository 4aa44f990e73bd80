import {
  hasBrowser,
  messageBox,
  openBrowser,
  say,
  signInAs,
  type TestBrowser,
  type TestPage,
} from '../../support/browser/browser';
import { axeFindings } from '../../support/browser/axe';
import { userOf } from '../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { until } from '../../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser('Writing in a browser', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let page: TestPage;
  let owner: Awaited<ReturnType<typeof userOf>>;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    browser = await openBrowser();
    owner = await userOf(node, 'owner');
    for (const topic of ['trains', 'travel costs']) {
      await owner.post('/messages', { type: 'stream', to: 'general', topic, content: 'first' });
    }
    page = await browser.page();
    await signInAs(page, node.url, 'Max Member');
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  const go = (path: string) => page.evaluate((to) => history.pushState(null, '', to), path);
  const openTopic = (topic: string) => go(`/stream/1/topic/${topic}`);
  const field = (name: string) => page.getByRole('combobox', { name, exact: true });
  const text = () => messageBox(page).inputValue();
  const isFocused = (name: string) => field(name).evaluate((each) => each === document.activeElement);
  const message = (words: string) => page.getByRole('article').filter({ hasText: words });
  const emptyBox = async () => {
    await messageBox(page).fill('');
    await messageBox(page).focus();
  };
  /** What a person drops or pastes: the browser's own objects. */
  const drop = (on: string) =>
    page.evaluate((selector) => {
      const data = new DataTransfer();
      data.items.add(new File(['hello'], 'note.txt', { type: 'text/plain' }));
      const options = { dataTransfer: data, bubbles: true, cancelable: true };
      const element = document.querySelector(selector)!;
      element.dispatchEvent(new DragEvent('dragover', options));
      return element.dispatchEvent(new DragEvent('drop', options));
    }, on);
  const paste = (html: string, plain: string) =>
    messageBox(page).evaluate(
      (box, [rich, bare]) => {
        const data = new DataTransfer();
        data.setData('text/html', rich!);
        data.setData('text/plain', bare!);
        box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
      },
      [html, plain],
    );

  test('Enter chooses the first match in the fields for streams, and typed text stays', async () => {
    await go('/all');
    await page.getByRole('heading', { name: 'All messages' }).waitFor();
    await page.keyboard.press('c');
    await until(() => isFocused('Stream'));
    await page.keyboard.type('gene');
    await page.keyboard.press('Enter');
    await until(() => isFocused('Topic'));
    expect(await field('Stream').inputValue()).toBe('general');
    await page.keyboard.type('tra');
    await page.getByRole('option', { name: 'travel costs' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await until(() => messageBox(page).evaluate((each) => each === document.activeElement));
    expect(await field('Topic').inputValue()).toMatch(/^tra(ins|vel costs)$/);
    await field('Stream').fill('no such stream');
    await messageBox(page).focus();
    expect(await field('Stream').inputValue()).toBe('no such stream');
  });

  test('Enter chooses the first match in the field for people', async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.press('x');
    await until(() => isFocused('To people'));
    await page.keyboard.type('oliv');
    await page.getByRole('option', { name: /Olive Owner/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove Olive Owner' }).waitFor();
    // There may be more people.
    await page.keyboard.type('ola');
    await page.getByRole('option', { name: /Ola Other/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove Ola Other' }).click();
    await field('To people').focus();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await until(() => messageBox(page).evaluate((each) => each === document.activeElement));
    await say(page, 'good morning');
    await message('good morning').first().waitFor();
  });

  test('The box of a conversation names it, shows no fields, and is the first button after Escape', async () => {
    await openTopic('trains');
    await page.getByPlaceholder('Message #general › trains').waitFor();
    expect(await field('Stream').count()).toBe(0);
    await messageBox(page).focus();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /Message #general › trains|Reply/ }).click();
    await until(() => messageBox(page).evaluate((each) => each === document.activeElement));
  });

  test('Keys and buttons format the selected words, and the browser can undo it', async () => {
    await openTopic('trains');
    await emptyBox();
    await page.keyboard.type('slow train');
    await page.keyboard.press('Control+Shift+ArrowLeft');
    await page.keyboard.press('Control+b');
    expect(await text()).toBe('slow **train**');
    await page.keyboard.press('Control+i');
    expect(await text()).toBe('slow ***train***');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    expect(await text()).toBe('slow train');
    await page.getByRole('button', { name: 'Formatting' }).click();
    await messageBox(page).selectText();
    await page.getByRole('button', { name: 'Quote', exact: true }).click();
    expect(await text()).toBe('```quote\nslow train\n```');
    expect(await axeFindings(page, { within: '[aria-label="Write a message"]' })).toEqual([]);
  });

  test('Emoji, topics and people are completed, the likely ones first', async () => {
    await openTopic('trains');
    const completed = async (typed: string): Promise<string> => {
      await emptyBox();
      await page.keyboard.type(typed);
      await page.getByRole('listbox', { name: 'Completions' }).getByRole('option').first().waitFor();
      await page.keyboard.press('Enter');
      return text();
    };
    expect(await completed(':smi')).toBe(':smile: ');
    expect(await completed('#general>trav')).toBe('#**general>travel costs** ');
    expect(await completed('@oliv')).toBe('@**Olive Owner** ');
    expect(await completed('/po')).toBe('/poll ');
  });

  test('A file that is dropped on the messages becomes a chip, and a link when it is sent', async () => {
    await openTopic('trains');
    await emptyBox();
    expect(await drop('#main')).toBe(false);
    await page.getByRole('button', { name: 'Remove note.txt' }).waitFor();
    expect(await text()).toBe('');
    await say(page, 'see this');
    await message('see this').getByRole('link', { name: 'note.txt' }).waitFor();
    expect(await page.getByRole('button', { name: 'Remove note.txt' }).count()).toBe(0);
  });

  test('Formatted text and tables of the clipboard become Markdown, and no element of the page', async () => {
    await openTopic('trains');
    await emptyBox();
    const table = '<table><tr><th>From</th><th>To</th></tr><tr><td>Bonn</td><td>Ulm</td></tr></table>';
    await paste(
      `<p>Go <b>now</b> <a href="https://example.com/x">there</a></p>${table}<img src=x onerror=alert(1)>`,
      '',
    );
    await until(async () => (await text()) !== '');
    expect(await text()).toBe(
      'Go **now** [there](https://example.com/x)\n\n| From | To |\n| --- | --- |\n| Bonn | Ulm |',
    );
    await emptyBox();
    await paste('<ul><li>one<ul><li>inner</li></ul></li><li>two</li></ul><pre>a  b</pre>', '');
    await until(async () => (await text()) !== '');
    expect(await text()).toBe('* one\n   * inner\n* two\n\n```\na  b\n```');
    expect(page.troubles).toEqual([]);
  });

  test('ArrowUp in an empty box edits the last own message, and no button covers it', async () => {
    await openTopic('walks');
    await say(page, 'a walk');
    await message('a walk').waitFor();
    await until(async () => {
      await messageBox(page).focus();
      await page.keyboard.press('ArrowUp');
      return page.getByRole('textbox', { name: 'Edit the message' }).isVisible();
    });
    await message('').first().hover();
    expect(await page.getByRole('button', { name: 'React' }).count()).toBe(0);
    await page.keyboard.press('Escape');
  });

  test('The choice of the key that sends stays in the account', async () => {
    await openTopic('keys');
    await page.getByRole('button', { name: 'Choose time or key' }).click();
    await page.getByRole('menuitem', { name: 'Enter sends', exact: true }).click();
    await until(async () => {
      const { body } = await (await userOf(node, 'member')).post('/register', { fetch_event_types: ['realm_user'] });
      return (body as { enter_sends: boolean }).enter_sends;
    });
    await messageBox(page).fill('by Enter');
    await messageBox(page).press('Enter');
    await message('by Enter').waitFor();
  });

  test('A stream for announcements says so in place of the box', async () => {
    const streams = (await owner.get('/streams')) as { body: { streams: { name: string; stream_id: number }[] } };
    const { stream_id: id } = streams.body.streams.find(({ name }) => name === 'general')!;
    await owner.patch(`/streams/${id}`, { is_announcement_only: true });
    await openTopic('trains');
    await page.getByText('Only administrators can write to #general.').waitFor();
    expect(await messageBox(page).count()).toBe(0);
    await owner.patch(`/streams/${id}`, { is_announcement_only: false });
    await messageBox(page).waitFor();
    expect(page.troubles).toEqual([]);
  });
});

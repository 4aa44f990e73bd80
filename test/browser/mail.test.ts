import { written, button, paragraph, quoted, smallLink } from '../../src/kernel/mail/written';
import { digestText, missedMessagesText } from '../../src/chat/model/mail/mail-texts';
import { mailedHtml } from '../../src/chat/model/mail/mailed-html';
import { chatWords } from '../../src/chat/model/texts/chat-words';
import { axeFindings } from '../support/browser/axe';
import { hasBrowser, openBrowser, type TestBrowser, type TestPage } from '../support/browser/browser';

const inBrowser = hasBrowser ? describe : describe.skip;

const LONG = `https://example.net/${'a-very-long-path/'.repeat(12)}`;
const organisation = { name: 'Northwind Traders', url: 'https://chat.example.org' };
const said = {
  text: 'x',
  html: mailedHtml(
    `<p>See <a href="${LONG}">${LONG}</a> and <code>${'wide'.repeat(40)}</code></p>` +
      '<blockquote><p>Quoted words</p></blockquote>' +
      `<div class="codehilite"><pre><code>${'let x = 1; '.repeat(20)}</code></pre></div>` +
      '<table><thead><tr><th>Day</th><th>Guests</th></tr></thead><tbody><tr><td>Monday</td><td>12</td></tr></tbody></table>',
    { url: organisation.url, spoiler: '', timeOf: String },
  ),
};

const LETTERS = {
  missed: missedMessagesText(chatWords('de'), {
    organisation,
    place: { stream: 'engineering', topic: 'a topic with a rather long name', isMention: true },
    messages: [{ sender: 'Ann Example', said, sentAt: new Date('2026-11-19T10:00:00Z') }],
    more: 3,
    link: `${organisation.url}/#narrow/stream/7-engineering/topic/x/near/9`,
    unsubscribe: `${organisation.url}/unsubscribe/7-${'x'.repeat(43)}`,
    timezone: 'Europe/Berlin',
  }),
  digest: digestText(chatWords('en'), {
    organisation,
    topics: [
      {
        stream: { id: 7, name: 'engineering' },
        topic: 'alerts',
        newestId: 9,
        count: 12,
        senders: ['Ann', 'Ben', 'Cem'],
        others: 4,
      },
      { stream: { id: 8, name: 'kitchen' }, topic: 'lunch', newestId: 10, count: 1, senders: ['Dana'], others: 0 },
    ],
    unsubscribe: `${organisation.url}/unsubscribe/7-${'x'.repeat(43)}`,
  }),
  plain: written({
    language: 'en',
    subject: 'Sign in',
    parts: [
      paragraph('Hello\nthere'),
      quoted('Ann, today:', paragraph('Words')),
      button('Sign in to a company with a name that is long enough to wrap on a telephone', LONG),
      smallLink('You get this mail because you were away.', 'Send no more', LONG),
    ],
  }),
};

inBrowser('How mail looks', () => {
  let browser: TestBrowser;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  async function open(name: keyof typeof LETTERS, width: number, colorScheme: 'light' | 'dark'): Promise<TestPage> {
    const page = await browser.page({ viewport: { width, height: 800 }, colorScheme });
    await page.setContent(LETTERS[name].html);
    return page;
  }

  test.each([
    ['missed', 360, 'light'],
    ['missed', 1280, 'dark'],
    ['digest', 360, 'dark'],
    ['digest', 1280, 'light'],
    ['plain', 360, 'light'],
    ['plain', 360, 'dark'],
  ] as const)('The letter %s fits a screen of %i px, and can be read in the %s', async (name, width, scheme) => {
    const page = await open(name, width, scheme);
    const widest = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(widest).toBeLessThanOrEqual(width);
    expect(await axeFindings(page)).toEqual([]);
    expect(page.troubles).toEqual([]);
    await page.context().close();
  });

  test('The background follows the scheme of the mail program', async () => {
    const [light, dark] = await Promise.all(
      (['light', 'dark'] as const).map(async (scheme) => {
        const page = await open('missed', 360, scheme);
        return page.evaluate(() => getComputedStyle(document.querySelector('main')!).backgroundColor);
      }),
    );
    expect(light).toBe('rgb(255, 255, 255)');
    expect(dark).not.toBe(light);
  });
});

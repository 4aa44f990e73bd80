import {
  hasBrowser,
  messageBox,
  openBrowser,
  signInAs,
  type TestBrowser,
  type TestPage,
} from '../../support/browser/browser';
import { userOf } from '../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { until } from '../../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser('The buttons of the composer', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let page: TestPage;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    const owner = await userOf(node, 'owner');
    const group = { name: 'backend', description: 'who knows the server', members: [owner.id] };
    await owner.post('/user_groups/create', group);
    browser = await openBrowser();
    page = await browser.page({ timezoneId: 'Asia/Tokyo' });
    await signInAs(page, node.url, 'Max Member');
    await page.evaluate(() => history.pushState(null, '', '/stream/1/topic/buttons'));
    await page.getByRole('button', { name: 'Formatting' }).click();
    await page.getByRole('toolbar', { name: 'Formatting' }).waitFor();
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  const text = () => messageBox(page).inputValue();
  const selected = () =>
    messageBox(page).evaluate((box) => {
      const { value, selectionStart, selectionEnd } = box as HTMLTextAreaElement;
      return value.slice(selectionStart, selectionEnd);
    });
  const press = (name: string) =>
    page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name }).click();
  /** Types and selects the last word. */
  const type = async (words: string): Promise<void> => {
    await messageBox(page).fill('');
    await messageBox(page).focus();
    await page.keyboard.type(words);
    await page.keyboard.press('Control+Shift+ArrowLeft');
  };
  const picker = () => page.getByRole('searchbox', { name: 'Search emoji' });
  const grid = () => page.getByRole('group', { name: 'Emoji', exact: true });

  test.each([
    ['Bold', 'slow **train**', 'train'],
    ['Italic', 'slow *train*', 'train'],
    ['Strikethrough', 'slow ~~train~~', 'train'],
    ['Code', 'slow `train`', 'train'],
    ['Formula', 'slow $$train$$', 'train'],
    ['Link', 'slow [train](url)', 'url'],
    ['List', '* slow train', '* slow train'],
    ['Quote', '```quote\nslow train\n```', 'slow train'],
    ['Spoiler', '```spoiler Spoiler\nslow train\n```', 'slow train'],
    ['Poll', '/poll slow train', 'slow train'],
  ])('The button %s formats the selected words, and typing goes on there', async (name, result, selection) => {
    await type('slow train');
    await press(name);
    expect(await text()).toBe(result);
    expect(await selected()).toBe(selection);
    await page.keyboard.type('x');
    expect(await text()).toBe(result.replace(selection, 'x'));
  });

  test('Ctrl+Shift+L makes a link, in which an address takes the other place', async () => {
    await type('slow train');
    await page.keyboard.press('Control+Shift+L');
    expect([await text(), await selected()]).toEqual(['slow [train](url)', 'url']);
    await messageBox(page).fill('https://example.com/timetable');
    await messageBox(page).selectText();
    await page.keyboard.press('Control+Shift+L');
    await page.keyboard.type('trains');
    expect(await text()).toBe('[trains](https://example.com/timetable)');
  });

  test('A time is chosen in one’s own time zone, and others see it in theirs', async () => {
    await messageBox(page).fill('');
    await press('Time');
    await page.locator('input[type="datetime-local"]').fill('2031-05-04T09:30');
    await page.keyboard.press('Enter');
    await until(text, (now) => now.trim() === '<time:2031-05-04T09:30:00+09:00>');
    await messageBox(page).press('Control+Enter');
    const time = page.getByRole('article').locator('time[datetime]').last();
    await time.waitFor();
    expect(await time.getAttribute('datetime')).toBe('2031-05-04T00:30:00Z');
    expect(await time.textContent()).toMatch(/9:30/);
  });

  test('The emoji picker leads to a group, names what is chosen, and inserts it', async () => {
    await messageBox(page).fill('');
    await page.getByRole('button', { name: 'Insert an emoji' }).click();
    await page
      .getByRole('toolbar', { name: 'Groups of emoji' })
      .getByRole('button', { name: 'Food and drink' })
      .click();
    const hot = grid().getByRole('button', { name: 'hotdog', exact: true });
    await hot.hover();
    await page.getByText(':hotdog:', { exact: false }).waitFor();
    await hot.click();
    await until(text, (now) => now.trim() === ':hotdog:');
    await picker().waitFor({ state: 'detached' });
  });

  test('The emoji picker is used by keys alone, and has what was used among the frequent ones', async () => {
    await messageBox(page).fill('');
    await page.getByRole('button', { name: 'Insert an emoji' }).press('Enter');
    await until(() => picker().evaluate((each) => each === document.activeElement));
    expect(await grid().getByRole('button').first().getAttribute('aria-label')).toBe('hotdog');
    await grid().getByRole('heading', { name: 'Frequently used' }).waitFor();
    await page.keyboard.type('rocket');
    await grid().getByRole('button', { name: 'rocket', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await until(text, (now) => now.trim() === ':rocket:');
  });

  test('Groups and streams are completed', async () => {
    const completed = async (typed: string): Promise<string> => {
      await messageBox(page).fill('');
      await messageBox(page).focus();
      await page.keyboard.type(typed);
      await page.getByRole('listbox', { name: 'Completions' }).getByRole('option').first().waitFor();
      await page.keyboard.press('Enter');
      return text();
    };
    expect(await completed('@backe')).toBe('@*backend* ');
    expect(await completed('#gener')).toBe('#**general** ');
    expect(page.troubles).toEqual([]);
  });
});

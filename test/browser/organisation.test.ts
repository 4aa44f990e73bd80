import type { Locator } from 'playwright-core';
import { totpCode, totpStep } from '../../src/kernel/passwords/totp';
import { axeFindings } from '../support/browser/axe';
import {
  hasBrowser,
  messageBox,
  openBrowser,
  say,
  signInAs,
  type TestBrowser,
  type TestPage,
} from '../support/browser/browser';
import { openCluster, type Cluster, type TestNode } from '../support/kernel/cluster';
import { userOf } from '../support/chat/chat';
import { signedIn } from '../support/http/pages';
import { PNG } from '../support/pictures';
import { until } from '../support/until';
import { startWorkers } from '../support/kernel/workers';

const inBrowser = hasBrowser ? describe : describe.skip;

const DOT = { name: 'dot.png', mimeType: 'image/png', buffer: PNG };

inBrowser('Polls, bots, administration, documentation and second factors in a browser', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let owner: TestPage;
  let member: TestPage;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    await startWorkers(cluster, 'chat-webhooks');
    browser = await openBrowser();
    owner = await browser.page();
    member = await browser.page();
    await Promise.all([signInAs(owner, node.url, 'Olive Owner'), signInAs(member, node.url, 'Max Member')]);
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  const open = (page: TestPage, path: string) => page.evaluate((to) => history.pushState(null, '', to), path);

  test('Two people vote in a poll and tick off tasks, each seeing what the other does', async () => {
    await Promise.all([open(owner, '/stream/1/topic/lunch'), open(member, '/stream/1/topic/lunch')]);
    await messageBox(owner).pressSequentially('/po');
    await owner.getByRole('option', { name: /^\/poll/ }).waitFor();
    await owner.keyboard.press('Enter');
    await owner.keyboard.type('Where?\nHere\nThere');
    await owner.keyboard.press('Control+Enter');
    await member.getByRole('group', { name: 'Poll: Where?' }).waitFor();
    await member.getByRole('button', { name: 'There: 0 votes' }).press('Enter');
    await owner.getByRole('button', { name: 'There: one vote' }).click();
    const both = member.getByRole('button', { name: 'There: 2 votes' });
    await both.waitFor();
    expect(await both.getAttribute('aria-pressed')).toBe('true');
    await member.getByRole('textbox', { name: 'Another option' }).fill('Elsewhere');
    await member.keyboard.press('Enter');
    await owner.getByRole('button', { name: 'Elsewhere: 0 votes' }).waitFor();

    await say(owner, '/todo');
    await member.getByRole('textbox', { name: 'New task' }).fill('Book a table');
    await member.keyboard.press('Enter');
    await owner.getByRole('checkbox', { name: 'Book a table' }).click();
    await member.getByText('1 of 1 done').waitFor();
  });

  test('A key selects from the completions of the typed text, even if they are not drawn yet', async () => {
    await messageBox(owner).pressSequentially('Done :ta');
    await owner.getByRole('option', { name: /^tada/ }).waitFor();
    await owner.evaluate(async () => {
      document.execCommand('insertText', false, 'd');
      // The completions are known, but the browser has not yet drawn them.
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    });
    await until(async () => (await messageBox(owner).inputValue()) === 'Done :tada: ');
    await messageBox(owner).fill('');
  });

  test('The newest message stays visible while many messages arrive', async () => {
    const api = await userOf(node, 'other');
    await open(member, '/stream/1/topic/flood');
    const send = (content: string) => api.post('/messages', { type: 'stream', to: 'general', topic: 'flood', content });
    await send('the first');
    await member.getByText('the first', { exact: true }).waitFor();
    await Promise.all(Array.from({ length: 120 }, (_, at) => send(`message ${at}`)));
    await send('the last');
    await member.getByText('the last', { exact: true }).waitFor();
  });

  test('A slash command changes the page instead of being sent', async () => {
    await say(owner, 'constructor');
    await owner.getByRole('article').getByText('constructor', { exact: true }).waitFor();
    const before = await owner.getByRole('article').count();
    await say(owner, '/night');
    await until(() => owner.evaluate(() => document.documentElement.dataset['mantineColorScheme'] === 'dark'));
    await say(owner, '/day');
    await until(() => owner.evaluate(() => document.documentElement.dataset['mantineColorScheme'] === 'light'));
    expect(await owner.getByRole('article').count()).toBe(before);
    expect(await messageBox(owner).inputValue()).toBe('');
  });

  test('A user makes a bot, gives it a picture and tries its webhook', async () => {
    await open(member, '/settings/bots');
    await member.getByRole('textbox', { name: 'Name of the bot' }).fill('Builds');
    await member.getByRole('button', { name: 'Create the bot' }).click();
    const entry = member.getByRole('listitem').filter({ hasText: 'builds-bot@' });
    await entry.locator('input[type=file]').setInputFiles(DOT);
    await entry.locator('img[src^="/user_avatars/"]').first().waitFor();
    // The page of a new stream opens at once.
    await entry.getByRole('combobox', { name: 'Stream' }).fill('test');
    await member.getByRole('option', { name: 'test' }).click();
    await entry.getByText(/^http\S+\/external\/github\?api_key=\w+&stream=test$/).waitFor();
    await entry.getByRole('button', { name: 'Send a sample' }).click();
    await entry.getByText('Codertocat', { exact: false }).first().waitFor();
    await entry.getByText('Make a bot of type incoming webhook.').waitFor();
    await entry.getByRole('button', { name: 'Deactivate' }).click();
    await entry.getByRole('button', { name: 'Sure?' }).click();
    await entry.waitFor({ state: 'detached' });
  });

  test('An administrator adds a linkifier, an emoji, a profile field and a sign-in method', async () => {
    await open(owner, '/settings/linkifiers');
    await owner.getByRole('textbox', { name: 'Pattern' }).fill('#(?P<id>[0-9]+)');
    await owner.getByRole('textbox', { name: /^Address/ }).fill('https://tracker.example/%(id)s');
    await owner.getByRole('button', { name: 'Add' }).click();
    await owner.getByText('https://tracker.example/%(id)s').waitFor();
    await open(owner, '/settings/emoji');
    await owner.getByRole('textbox', { name: /^Name/ }).fill('dot');
    await owner.locator('input[type=file]').setInputFiles(DOT);
    await owner.getByRole('button', { name: 'Add' }).click();
    await owner.getByText(':dot:').waitFor();
    await open(owner, '/settings/fields');
    await owner.getByRole('textbox', { name: 'Name' }).fill('Extension');
    await owner.getByRole('button', { name: 'Add' }).click();
    await owner.getByRole('listitem').filter({ hasText: 'Extension' }).waitFor();
    await open(owner, '/settings/sign-in');
    await owner.getByRole('button', { name: 'Add a server' }).click();
    await owner.getByRole('textbox', { name: 'Short name' }).fill('company');
    await owner.getByRole('textbox', { name: 'Name on the sign-in page' }).fill('Company');
    await owner.getByRole('textbox', { name: /issuer/ }).fill('https://login.example.com');
    await owner.getByRole('textbox', { name: 'Client ID' }).fill('partyline');
    await owner.getByLabel('Client secret').fill('a secret');
    await owner.getByText('/web/openid/company/callback').waitFor();
    await owner.getByRole('button', { name: 'Save' }).click();
    await owner.getByRole('listitem').filter({ hasText: 'https://login.example.com' }).waitFor();
    const stranger = await browser.page();
    await stranger.goto(`${node.url}/?sign_in_error=NO_ACCOUNT`);
    await stranger.getByRole('link', { name: 'Sign in with Company' }).waitFor();
    await stranger.getByRole('alert').filter({ hasText: 'There is no account' }).waitFor();
    await stranger.goto(`${node.url}/?sign_in_error=constructor`);
    await stranger.getByRole('alert').filter({ hasText: 'failed' }).waitFor();
    await stranger.getByRole('link', { name: 'Forgot your password?' }).click();
    await stranger.getByRole('heading', { name: 'Get a new password' }).waitFor();
    expect(stranger.troubles).toEqual([]);
    await stranger.context().close();
  });

  test('The documentation is searched while typing, and shows the message of an integration', async () => {
    const page = await browser.page();
    await page.goto(`${node.url}/docs/integrations`);
    await page.getByRole('searchbox').pressSequentially('uptime');
    await page
      .getByRole('link', { name: /^Uptime ?Robot/i })
      .first()
      .click();
    await page.getByRole('heading', { name: 'What it looks like' }).waitFor();
    await page.getByRole('article').getByText('Webhook Bot').waitFor();
    expect(page.troubles).toEqual([]);
    await page.context().close();
  });

  test('Neither page has reported an error', () => {
    expect([...owner.troubles, ...member.troubles]).toEqual([]);
  });

  test('A required second factor is set up and requested, on pages where axe finds nothing', async () => {
    const admin = await signedIn(node, 'owner@example.com');
    await admin.call(node, '/web/sign-in-rules', { method: 'PATCH', json: { two_factor_required: true } });
    const page = await browser.page({ reducedMotion: 'reduce' });
    const found: string[] = [];
    const signIn = async (): Promise<void> => {
      await page.goto(node.url);
      await page.getByRole('textbox', { name: 'Email' }).fill('other@example.com');
      await page.getByLabel('Password', { exact: true }).fill('demo');
      await page.keyboard.press('Enter');
    };
    const lookAt = async (awaited: Locator): Promise<void> => {
      await awaited.waitFor();
      found.push(...(await axeFindings(page)));
    };
    const code = page.getByRole('textbox', { name: 'Code' });
    await signIn();
    await lookAt(page.getByRole('heading', { name: 'Your organisation asks for a second factor' }));
    await page.getByRole('button', { name: 'Set up a second factor' }).click();
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    await lookAt(code);
    const secret = (await page.locator('code').textContent())!;
    await code.fill(totpCode(secret, totpStep(Date.now())));
    await page.keyboard.press('Enter');
    await lookAt(page.getByRole('button', { name: 'I have kept them' }));
    const [recovery] = (await page.locator('code').textContent())!.split('\n');
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByRole('region', { name: 'Write a message' }).waitFor();
    await page.context().clearCookies();
    await signIn();
    await lookAt(code);
    // The field has the focus.
    await page.keyboard.type(recovery!);
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Write a message' }).waitFor();
    expect(found).toEqual([]);
    expect(page.troubles).toEqual([]);
    await page.context().close();
  });
});

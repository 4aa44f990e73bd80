import { axeFindings } from '../../support/browser/axe';
import { hasBrowser, openBrowser, say, signInAs, type TestBrowser, type TestPage } from '../../support/browser/browser';
import { openCluster, type Cluster } from '../../support/kernel/cluster';

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser('Muted people in a browser', () => {
  let cluster: Cluster;
  let browser: TestBrowser;
  let owner: TestPage;
  let member: TestPage;

  beforeAll(async () => {
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    const { url } = await cluster.node();
    browser = await openBrowser();
    owner = await browser.page();
    member = await browser.page();
    await Promise.all([signInAs(owner, url, 'Olive Owner'), signInAs(member, url, 'Max Member')]);
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
  });

  const open = (page: TestPage, path: string) => page.evaluate((to) => history.pushState(null, '', to), path);

  test('What a muted person writes is hidden until it is shown, or they are unmuted in the settings', async () => {
    await Promise.all([open(owner, '/stream/1/topic/muting'), open(member, '/stream/1/topic/muting')]);
    await say(member, 'before the muting');
    const list = owner.getByRole('main');
    await list.getByText('before the muting').waitFor();
    await list.getByRole('button', { name: 'Max Member', exact: true }).first().click();
    await owner.getByRole('dialog', { name: 'About Max Member' }).getByRole('button', { name: 'Mute' }).click();
    await list.getByText('before the muting').waitFor({ state: 'detached' });
    await owner.keyboard.press('Escape');
    await say(member, 'after the muting');
    const hidden = list.getByRole('article', { name: /^Hidden message of a muted person/ });
    await hidden.nth(1).waitFor();
    expect(await axeFindings(owner)).toEqual([]);
    await hidden.nth(1).getByRole('button', { name: 'Show' }).click();
    await list.getByText('after the muting').waitFor();
    expect(await hidden.count()).toBe(1);
    await open(owner, '/settings/muted');
    const muted = owner.getByRole('list', { name: 'Muted people' });
    await muted.getByText('Max Member').first().waitFor();
    expect(await axeFindings(owner)).toEqual([]);
    await muted.getByRole('button', { name: 'Unmute Max Member' }).click();
    await owner.getByText('You have muted nobody.').waitFor();
    await open(owner, '/stream/1/topic/muting');
    await list.getByText('before the muting').waitFor();
    expect(owner.troubles).toEqual([]);
  });
});

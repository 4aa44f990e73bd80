import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CDPSession } from 'playwright-core';
import {
  hasBrowser,
  messageBox,
  openBrowser,
  say,
  signInAs,
  type TestBrowser,
  type TestPage,
} from '../../support/browser/browser';
import { userOf, type TestUser } from '../../support/chat/chat';
import { openCluster, type Cluster, type TestNode } from '../../support/kernel/cluster';
import { until } from '../../support/until';

const inBrowser = hasBrowser ? describe : describe.skip;

/** So large that a slow connection sends it in many parts. */
const LARGE = 4_000_000;
const SLOW = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 100_000 };
const FAST = { ...SLOW, uploadThroughput: -1 };

inBrowser('Files that are attached in a browser', () => {
  let cluster: Cluster;
  let node: TestNode;
  let browser: TestBrowser;
  let page: TestPage;
  let hand: CDPSession;
  let owner: TestUser;
  let folder: string;
  let note: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dropped-'));
    note = join(folder, 'note.txt');
    writeFileSync(note, 'hello');
    cluster = await openCluster({ RATE_LIMIT: 'off' });
    await cluster.seed();
    node = await cluster.node();
    owner = await userOf(node, 'owner');
    browser = await openBrowser();
    page = await browser.page();
    await signInAs(page, node.url, 'Max Member');
    hand = await page.context().newCDPSession(page);
  });
  afterAll(async () => {
    await browser.close();
    await cluster.close();
    rmSync(folder, { recursive: true });
  });

  const go = (path: string) => page.evaluate((to) => history.pushState(null, '', to), path);
  const drag = (type: 'dragEnter' | 'dragOver' | 'drop' | 'dragCancel') =>
    hand.send('Input.dispatchDragEvent', {
      type,
      x: 700,
      y: 300,
      data: { items: [], files: [note], dragOperationsMask: 1 },
    });
  const dropNote = async (words: string | RegExp): Promise<void> => {
    await drag('dragEnter');
    // A pointer that holds still is told of again and again.
    const isShown = () => page.locator('[data-drop]').filter({ hasText: words }).isVisible();
    await until(async () => {
      await drag('dragOver');
      return isShown();
    });
    await drag('dragOver');
    await drag('drop');
  };
  const chip = (name: string) =>
    page.getByRole('list', { name: 'Attached files' }).getByRole('listitem').filter({ hasText: name });
  const files = (...names: string[]) =>
    names.map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) }));
  const picker = () => page.getByRole('region', { name: 'Write a message' }).locator('input[type=file]');
  const uploads = async (): Promise<string[]> =>
    ((await (await userOf(node, 'member')).get('/attachments')).body.attachments as { name: string }[]).map(
      ({ name }) => name,
    );

  test('A dropped file becomes a chip on every page with a box to write in; others refuse it in words', async () => {
    const elsewhere = /^Files can be attached where one can write/;
    for (const path of ['/settings/profile', '/streams', '/welcome']) {
      await go(path);
      await page.getByRole('region', { name: 'Write a message' }).waitFor({ state: 'detached' });
      await dropNote(elsewhere);
      await page.getByRole('status').filter({ hasText: elsewhere }).first().waitFor();
      expect(page.url()).toBe(node.url + path);
    }
    expect(await uploads()).toEqual([]);
    for (const path of ['/', '/recent', '/all', '/stream/1/topic/files']) {
      await go(path);
      await page.getByRole('region', { name: 'Write a message' }).waitFor();
      await dropNote('Drop the files here to attach them.');
      await chip('note.txt').getByRole('button', { name: 'Remove note.txt' }).click();
      await chip('note.txt').waitFor({ state: 'detached' });
    }
  });

  test('A stream in which one may not write refuses a dropped file, and nothing is uploaded', async () => {
    const before = await uploads();
    await owner.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'news' }],
      principals: ['member@example.com', 'owner@example.com'],
      is_announcement_only: true,
    });
    const { stream_id: id } = (await owner.get('/get_stream_id', { stream: 'news' })).body;
    await go(`/stream/${id}`);
    const reason = 'Only administrators can write to #news.';
    await page.getByRole('note').getByText(reason).waitFor();
    await dropNote(reason);
    await page.getByRole('status').filter({ hasText: reason }).waitFor();
    await owner.patch(`/streams/${id}`, { is_announcement_only: false });
    await messageBox(page).waitFor();
    expect(await page.getByRole('list', { name: 'Attached files' }).count()).toBe(0);
    await owner.del(`/streams/${id}`);
    await page.getByRole('status').getByText('This stream is archived.', { exact: false }).waitFor();
    await dropNote('#news is archived: nobody can write to it.');
    expect(await uploads()).toEqual(before);
  });

  test('Several files are attached at once; one is removed, and the others are sent', async () => {
    await go('/stream/1/topic/files');
    await messageBox(page).waitFor();
    await picker().setInputFiles(files('one.txt', 'two.txt', 'three.txt'));
    for (const name of ['one.txt', 'two.txt', 'three.txt']) {
      await chip(name)
        .getByRole('button', { name: `Remove ${name}` })
        .waitFor();
    }
    await chip('two.txt').getByRole('button').click();
    await say(page, 'all of it');
    const sent = page.getByRole('article').filter({ hasText: 'all of it' });
    await sent.getByRole('link', { name: 'three.txt' }).waitFor();
    expect((await sent.getByRole('link').allTextContents()).toSorted()).toEqual(['one.txt', 'three.txt']);
  });

  test('An upload shows how far it is, keeps the message from being sent, and is cancelled', async () => {
    await hand.send('Network.enable');
    await hand.send('Network.emulateNetworkConditions', SLOW);
    await messageBox(page).fill('with a film');
    await picker().setInputFiles({
      name: 'film.bin',
      mimeType: 'application/octet-stream',
      buffer: Buffer.alloc(LARGE),
    });
    const progress = chip('film.bin').getByRole('progressbar', { name: 'Uploading film.bin' });
    await until(async () => {
      const part = Number(await progress.getAttribute('value'));
      return part > 0 && part < 1;
    });
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
    await chip('film.bin').getByRole('button', { name: 'Cancel the upload of film.bin' }).click();
    await chip('film.bin').waitFor({ state: 'detached' });
    await hand.send('Network.emulateNetworkConditions', FAST);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('article').getByText('with a film', { exact: true }).waitFor();
    expect(await page.getByRole('status').filter({ hasText: 'film.bin' }).count()).toBe(0);
    expect(page.troubles).toEqual([]);
  });
});

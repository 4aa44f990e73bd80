'use strict';

/** Which pictures `npm run screenshots` takes. */

/**
 * @typedef {import('playwright-core').Page} Page
 * @typedef {object} Shot
 * @property {string} name of the file
 * @property {string} [who] signs in before
 * @property {boolean} [isPortal] signs in there
 * @property {string} path
 * @property {(page: Page) => import('playwright-core').Locator} wait what must be seen
 * @property {(page: Page) => Promise<void>} [prepare]
 * @property {{ width: number, height: number }} [viewport]
 * @property {'light' | 'dark'} [colorScheme]
 */

const PHONE = { width: 390, height: 780 };

/** @param {Page} page */
const message = (page) => page.getByRole('article');

/** @param {Page} page */
async function openWebhookBuilder(page) {
  await page.getByRole('button', { name: 'Webhook address' }).first().click();
  await page.getByRole('combobox', { name: 'Stream' }).fill('test');
  await page.getByRole('option', { name: 'test' }).click();
  await page.getByRole('button', { name: 'Send a sample' }).click();
  await page.getByText('This message came of it').waitFor();
  await page.getByRole('heading', { name: 'Your bots' }).evaluate(showFromItsTop);
  await hideRun(page);
}

/** @param {{ scrollIntoView(options: object): void }} element */
const showFromItsTop = (element) => element.scrollIntoView({ block: 'start' });

/**
 * Ports and keys change with every run, and a key looks like a secret.
 *
 * @param {Page} page
 */
async function hideRun(page) {
  await page.evaluate(`for (const code of document.querySelectorAll('code'))
    code.textContent = code.textContent
      .replace(/api_key=\\w+/, 'api_key=KEY').replace(/http:..127.0.0.1:\\d+/, 'https://chat.example.com')`);
}

/** @param {Page} page */
async function openTexts(page) {
  await page.getByRole('link', { name: /Carla/ }).click();
  await message(page).nth(1).waitFor();
  await page.getByRole('textbox', { name: 'Write a message' }).fill('Yes, from nine to one.');
}

/** @param {Page} page */
async function openDeadLetters(page) {
  await page.getByRole('button', { name: '3 dead letters' }).click();
  await page.getByRole('button', { name: 'Retry all: deliveries' }).waitFor();
}

/**
 * The list of people comes after the messages.
 *
 * @param {Page} page
 */
const people = (page) => page.getByRole('complementary', { name: 'People' }).getByText('Max Member').waitFor();

/** @type {readonly Shot[]} */
const SHOTS = [
  { name: 'sign-in', path: '/', wait: (page) => page.getByRole('button', { name: 'Olive Owner' }) },
  { name: 'chat', who: 'Olive Owner', path: '/stream/5/topic/alerts', wait: message, prepare: people },
  {
    name: 'inbox',
    who: 'Max Member',
    path: '/',
    wait: (page) =>
      page
        .getByRole('main')
        .getByRole('link', { name: /release 2.4/ })
        .first(),
  },
  { name: 'chat-dark', who: 'Max Member', path: '/all', wait: message, prepare: people, colorScheme: 'dark' },
  { name: 'phone', who: 'Ola Other', path: '/all', wait: message, viewport: PHONE },
  {
    name: 'bots',
    who: 'Max Member',
    path: '/settings/bots',
    wait: (page) => page.getByRole('button', { name: 'Webhook address' }),
    prepare: openWebhookBuilder,
    viewport: { width: 1280, height: 900 },
  },
  {
    name: 'integration',
    path: '/docs/integrations/github',
    wait: (page) => page.getByRole('heading', { name: 'GitHub' }),
    prepare: hideRun,
  },
  {
    name: 'portal',
    who: 'Olive Owner',
    isPortal: true,
    path: '/portal/extensions',
    wait: (page) => page.getByText('On the PBX').nth(4),
    viewport: { width: 1280, height: 640 },
  },
  {
    name: 'portal-texting',
    who: 'Olive Owner',
    isPortal: true,
    path: '/portal/texting',
    wait: (page) => page.getByRole('link', { name: /Carla/ }),
    prepare: openTexts,
    viewport: { width: 1280, height: 640 },
    colorScheme: 'dark',
  },
  {
    name: 'console',
    path: '/ops',
    wait: (page) => page.getByRole('img', { name: /^Requests a second: .* now/ }).locator('canvas'),
    colorScheme: 'dark',
    viewport: { width: 1280, height: 960 },
  },
  {
    name: 'console-work',
    path: '/ops/work',
    wait: (page) => page.getByRole('button', { name: '3 dead letters' }),
    prepare: openDeadLetters,
  },
];

module.exports = { SHOTS };

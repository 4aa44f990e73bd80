'use strict';

/** Which pictures `npm run screenshots` takes. */

/**
 * @typedef {import('playwright-core').Page} Page
 * @typedef {object} Shot
 * @property {string} name of the file
 * @property {string} [who] signs in before
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
  await page.getByRole('button', { name: 'Send a sample' }).waitFor();
  // A key changes with every run, and looks like a secret.
  await page.evaluate(`for (const code of document.querySelectorAll('code'))
    code.textContent = code.textContent.replace(/api_key=\\w+/, 'api_key=KEY')`);
}

/** @type {readonly Shot[]} */
const SHOTS = [
  { name: 'sign-in', path: '/', wait: (page) => page.getByRole('button', { name: 'Olive Owner' }) },
  { name: 'chat', who: 'Olive Owner', path: '/stream/5/topic/alerts', wait: message },
  { name: 'chat-dark', who: 'Max Member', path: '/', wait: message, colorScheme: 'dark' },
  { name: 'phone', who: 'Ola Other', path: '/', wait: message, viewport: PHONE },
  {
    name: 'bots',
    who: 'Max Member',
    path: '/settings/bots',
    wait: (page) => page.getByRole('button', { name: 'Webhook address' }),
    prepare: openWebhookBuilder,
  },
  {
    name: 'integration',
    path: '/docs/integrations/github',
    wait: (page) => page.getByRole('heading', { name: 'GitHub' }),
  },
];

module.exports = { SHOTS };

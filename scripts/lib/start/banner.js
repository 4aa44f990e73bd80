'use strict';

/** What `npm start` prints when everything is ready: addresses, demo accounts, and the line that scripts wait for. */

const { nodeUrl } = require('./settings');

const CHAT_DEMO = `
  Chat accounts (password: demo)
    owner@example.com   administrator
    member@example.com  member
    other@example.com   member
    guest@example.com   guest
  API key of an account: curl -d username=member@example.com {first}/api/v1/dev_fetch_api_key
`;

const TELEPHONY_DEMO = `
  Telephony companies
    Example Telecom  API key demo-key-one
    Other Telecom    API key demo-key-two
`;

const ONE_CLICK = `
  Chat, portal and console let you in with one click, as any of their demo people.
`;

/** @typedef {{ line: string, demo: string }} ProductText */

/** @type {Readonly<Record<string, ProductText>>} */
const PRODUCTS = {
  chat: { line: '  Chat       {first}/\n  Chat API   {first}/api/v1', demo: CHAT_DEMO },
  telephony: { line: '  Portal     {first}/portal\n  Telephony  {first}', demo: TELEPHONY_DEMO },
};

/**
 * @param {import('./settings').Settings} settings
 * @returns {string}
 */
function banner(settings) {
  const urls = Array.from({ length: settings.nodes }, (_, index) => nodeUrl(settings, index));
  const products = Object.entries(PRODUCTS).filter(([name]) => settings.products.includes(name));
  const lines = [
    '',
    ...products.map(([, { line }]) => line),
    `  Console    {first}/ops${settings.production ? ' (a key for it: npm run cli -- operator add <name>)' : ''}`,
    '  Reference  {first}/docs',
    `  Logs       ${settings.dataDir}/logs`,
    settings.production ? '' : `${products.map(([, { demo }]) => demo).join('')}${ONE_CLICK}`,
    'Ctrl-C stops everything.',
  ];
  return [...lines.map((line) => line.replaceAll('{first}', urls[0] ?? '')), `ready ${urls.join(' ')}`].join('\n');
}

module.exports = { banner };

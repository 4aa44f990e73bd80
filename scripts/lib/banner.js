'use strict';

/** What `npm start` prints when all is up: where to go, whom to be, and the line that scripts wait for. */

const { nodeUrl } = require('./settings');

const DEMO = `
  Chat accounts (password: demo)        Telephony
    owner@example.com   administrator     Example Telecom  API key demo-key-one
    member@example.com  member            Other Telecom    API key demo-key-two
    other@example.com   member
    guest@example.com   guest

  API key of an account: curl -d username=member@example.com {first}/api/v1/dev_fetch_api_key
`;

/**
 * @param {import('./settings').Settings} settings
 * @returns {string}
 */
function banner(settings) {
  const urls = Array.from({ length: settings.nodes }, (_, index) => nodeUrl(settings, index));
  const first = urls[0] ?? '';
  return [
    '',
    `  Chat       ${first}/api/v1`,
    `  Telephony  ${first}`,
    `  Reference  ${first}/docs`,
    `  Logs       ${settings.dataDir}/logs`,
    settings.production ? '' : DEMO.replaceAll('{first}', first),
    'Ctrl-C stops everything.',
    `ready ${urls.join(' ')}`,
  ].join('\n');
}

module.exports = { banner };

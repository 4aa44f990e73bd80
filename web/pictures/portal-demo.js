'use strict';

/** What the pictures of the portal show: a company with people, extensions and texts, made through the API. */

const { createHmac } = require('node:crypto');

const INSTANCE = '00000000-0000-4000-8000-000000000001';
const OWNER = { Authorization: 'Bearer demo-key-one', 'X-User-Id': 'primary', Accept: 'application/json' };
const EXTENSIONS = `/instances/${INSTANCE}/bulks/extensions`;

/** @type {readonly (readonly [number, string, string])[]} */
const PHONES = [
  [201, 'Front desk', 'owner@example.com'],
  [202, 'Sales', 'member@example.com'],
  [203, 'Workshop', ''],
  [204, 'Warehouse', ''],
  [205, 'Meeting room', ''],
];

/** @type {readonly (readonly [string, string])[]} */
const CUSTOMERS = [
  ['+15550109001', 'Carla'],
  ['+15550109002', 'Ben'],
];

/** @type {readonly (readonly [string, string])[]} */
const TEXTS = [
  ['+15550109002', 'Can I pick the parts up today?'],
  ['+15550109001', 'Is the workshop open on Saturday?'],
  ['+15550109001', 'I would come at ten.'],
];

/**
 * @param {string} url
 * @param {string} address
 * @param {object} json
 */
async function post(url, address, json) {
  const headers = { ...OWNER, 'Content-Type': 'application/json' };
  const answer = await fetch(url + address, { method: 'POST', headers, body: JSON.stringify(json) });
  if (!answer.ok) throw new Error(`POST ${address}: ${answer.status} ${await answer.text()}`);
}

/**
 * As the simulated carrier tells of a text.
 *
 * @param {string} url
 * @param {object} json
 */
async function postText(url, json) {
  const body = JSON.stringify(json);
  const at = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', 'demo-secret-one').update(`${at}.${body}`).digest('hex');
  const headers = { 'X-Signature': `t=${at},v1=${signature}`, 'Content-Type': 'application/json' };
  const answer = await fetch(`${url}/webhooks/texting/simulated/demo-carrier-one`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`a text: ${answer.status} ${await answer.text()}`);
}

/** @param {string} url of a server with demo data, which may have them already */
async function fillPortal(url) {
  const { status } = await fetch(url + EXTENSIONS, { headers: OWNER });
  if (status === 200) return;
  for (const [number, name] of CUSTOMERS)
    await post(url, '/texting/contacts', { number, first_name: name, last_name: 'Customer' });
  for (const [id, name, email] of PHONES)
    await post(url, EXTENSIONS, { data: { id, name, voicemail_email: email }, purpose: 'mobile-app' });
  for (const [index, [from, text]] of TEXTS.entries()) {
    const received = new Date(Date.now() - (TEXTS.length - index) * 60_000).toISOString();
    await postText(url, { id: `picture-${index}`, from, to: '+15550100001', text, received_at: received });
  }
}

module.exports = { fillPortal };

'use strict';

/**
 * Recorded exchanges with an Asterisk: sends the recorded requests to an Asterisk, or to its stand-in, and returns the
 * responses in the form of the record. A response that is a list of attributes is stored as its differences from the
 * defaults of its type.
 */

/**
 * @typedef {import('../../../../simulators/pbx/asterisk/recorded').Attributes} Attributes
 * @typedef {import('../../../../simulators/pbx/asterisk/recorded').Step} Step
 * @typedef {import('../../../../simulators/pbx/asterisk/recorded').Recorded} Recorded
 * @typedef {Recorded['defaults']} Defaults
 * @typedef {Recorded['scenarios'][number]} Scenario
 */

/**
 * @typedef {object} Target
 * @property {string} url without /ari
 * @property {{ partyline: string, reader: string, nobody: string }} credentials
 * @property {() => Promise<void>} restart
 */

const P = '/asterisk/config/dynamic/res_pjsip/';

/** @param {Step} step */
function bodyOf({ fields, json, raw }) {
  if (raw !== undefined) return raw;
  if (fields === undefined) return json === undefined ? undefined : JSON.stringify(json);
  return JSON.stringify({ fields: Object.entries(fields).map(([attribute, value]) => ({ attribute, value })) });
}

/** @param {string} request @returns {[method: string, path: string]} */
function partsOf(request) {
  const [method = '', path = ''] = request.split(' ');
  return [method, path.replace(/^P\//, P)];
}

/** @param {Target} target @param {Step} step @returns {Promise<{ status: number, text: string } | undefined>} */
async function send({ url, credentials }, step) {
  const [method, path] = partsOf(step.request ?? '');
  const body = bodyOf(step);
  const authorization = `Basic ${Buffer.from(credentials[step.as ?? 'partyline']).toString('base64')}`;
  const headers = { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  const answer = await fetch(`${url}/ari${path}`, { method, headers, ...(body === undefined ? {} : { body }) }).catch(
    () => undefined,
  );
  return answer && { status: answer.status, text: await answer.text() };
}

/** @param {unknown} body @returns {body is { attribute: string, value: string }[]} */
const isAttributes = (body) => Array.isArray(body) && body.length > 0 && 'attribute' in body[0];

/** Removes values that differ with each call or machine. @param {unknown} body */
const withoutTimes = (body) =>
  JSON.parse(
    JSON.stringify(body, (key, value) => (/time|timestamp|asterisk_id|entity_id|version/.test(key) ? '' : value)),
  );

/** @param {[string, string][]} entries */
const byName = (entries) => entries.toSorted(([one], [other]) => (one < other ? -1 : 1));

/** @param {Attributes} all @param {Attributes} usual */
const differences = (all, usual) =>
  Object.fromEntries(byName(Object.entries(all)).filter(([name, value]) => usual[name] !== value));

/**
 * @param {Target} target
 * @param {Step} step
 * @param {Defaults} defaults
 * @returns {Promise<Pick<Step, 'status' | 'shown' | 'answer' | 'reset'>>}
 */
async function play(target, step, defaults) {
  if (step.then === 'restart') {
    await target.restart();
    return {};
  }
  const came = await send(target, step);
  if (came === undefined) return { reset: true };
  const { status, text } = came;
  if (text === '') return { status };
  const body = text.startsWith('<') ? text : JSON.parse(text);
  if (!isAttributes(body)) return { status, answer: typeof body === 'string' ? body : withoutTimes(body) };
  const type = /P\/(\w+)\//.exec(step.request ?? '')?.[1] ?? '';
  const all = Object.fromEntries(body.map(({ attribute, value }) => [attribute, value]));
  // A transport has no defaults here, and listens on another port each time.
  delete all['bind'];
  return { status, shown: differences(all, /** @type {Record<string, Attributes>} */ (defaults)[type] ?? {}) };
}

module.exports = { byName, play, send };

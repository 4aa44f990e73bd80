'use strict';

/** What the pictures of the operators' console show: dead letters, a paused queue, and an hour that was measured. */

const path = require('node:path');
const { Failure } = require('../../scripts/lib/failure');
const { root } = require('../../scripts/lib/paths');
const { runCommand } = require('../../scripts/lib/run-command');

/** @typedef {{ name: string, key: string }} Operator */

const WAIT_MS = 120_000;

/** @param {{ level: string }} finding */
const isFailure = ({ level }) => level === 'fail';

/**
 * @param {string} url
 * @param {{ method?: string, headers?: Record<string, string>, body?: string | URLSearchParams }} [options]
 * @returns {Promise<any>}
 */
async function ask(url, options) {
  const answer = await fetch(url, options);
  const text = await answer.text();
  if (!answer.ok) throw new Failure(`${new URL(url).pathname} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}

/** @param {NodeJS.ProcessEnv} env @returns {Promise<Operator>} */
async function addOperator(env) {
  const command = [path.join(root, 'dist/cli/main.js'), 'operator', 'add', 'ada', '--json'];
  const { code, all } = await runCommand(process.execPath, command, { cwd: root, env });
  if (code !== 0) throw new Failure('The operator of the pictures could not be added.', { detail: all });
  return { name: 'ada', key: JSON.parse(all).key };
}

/**
 * Deliveries that were taken before their stream was deleted are dead letters as soon as a worker looks at them.
 *
 * @param {string} url
 * @param {Operator} operator
 */
async function makeDeadLetters(url, { key }) {
  const api = `${url}/api/v1`;
  /** @param {string} username */
  const keyOf = async (username) =>
    (await ask(`${api}/dev_fetch_api_key`, { method: 'POST', body: new URLSearchParams({ username }) })).api_key;
  const owner = { Authorization: `Basic ${btoa(`owner@example.com:${await keyOf('owner@example.com')}`)}` };
  const operator = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  /** @param {string} action */
  const queue = (action) =>
    ask(`${url}/ops/api/queues/mailbox-chat-webhooks/${action}`, { method: 'POST', headers: operator, body: '{}' });

  const subscriptions = JSON.stringify([{ name: 'deploys' }]);
  const body = new URLSearchParams({ subscriptions });
  await ask(`${api}/users/me/subscriptions`, { method: 'POST', headers: owner, body });
  const { stream_id: stream } = await ask(`${api}/get_stream_id?stream=deploys`, { headers: owner });
  await queue('pause');
  const bot = await keyOf('webhook-bot@example.com');
  for (const version of ['4.1.0', '4.1.1', '4.2.0']) {
    await ask(`${api}/external/json?api_key=${bot}&stream=deploys`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ release: version, status: 'deployed' }),
    });
  }
  await ask(`${api}/streams/${stream}`, { method: 'DELETE', headers: owner });
  await queue('resume');
  // Nothing but them is wrong once the server has published what the demo data are.
  for (const end = Date.now() + WAIT_MS; ;) {
    const { dead_letters: dead } = await ask(`${url}/ops/api/dead-letters`, { headers: operator });
    const { findings } = await ask(`${url}/ops/api/overview`, { headers: operator });
    if (dead.length === 3 && !findings.some(isFailure)) return;
    if (Date.now() > end) throw new Failure('The dead letters of the pictures did not come about.');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/**
 * A server that has just started has measured nothing yet.
 *
 * @param {string} redisUrl
 */
async function fillHistory(redisUrl) {
  const { Redis } = require('ioredis');
  const redis = new Redis(redisUrl);
  const last = Math.floor(Date.now() / 60_000);
  const pipeline = redis.pipeline();
  for (let ago = 61; ago > 0; ago -= 1) {
    const wave = 1 + Math.sin(ago / 7) / 2;
    const isBusy = ago > 22 && ago < 30;
    const slot = {
      requests: Math.round(2600 * wave + (isBusy ? 2200 : 0)),
      errors: isBusy ? 18 : 0,
      events: 900_000 - ago * 1500 - Math.round(300 * wave),
      waiting: isBusy ? 140 - Math.abs(26 - ago) * 30 : Math.round(3 * wave),
      oldestMs: isBusy ? 9000 : Math.round(120 * wave),
      dead: ago > 3 ? 0 : 3,
      lagMs: Math.round(4 * wave) + (isBusy ? 30 : 0),
      redisClients: 24 + (isBusy ? 6 : 0),
      mysqlConnections: Math.round(14 + 3 * wave),
    };
    pipeline.hset(`partyline:history:hour:${last - ago}`, slot).expire(`partyline:history:hour:${last - ago}`, 3600);
  }
  await pipeline.exec();
  await redis.quit();
}

/**
 * @param {string} url of a node
 * @param {NodeJS.ProcessEnv} env of its processes
 * @returns {Promise<Operator>} who sees it
 */
async function prepareConsole(url, env) {
  const operator = await addOperator(env);
  await makeDeadLetters(url, operator);
  await fillHistory(String(env['REDIS_URL']));
  return operator;
}

module.exports = { prepareConsole };

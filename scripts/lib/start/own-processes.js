'use strict';

/** The processes of our own code: the simulated PBX, the nodes, the workers. */

const path = require('node:path');
const { cache, root } = require('../paths');
const { answersOk, saysWorkerReady } = require('./probes');
const { nodeUrl, reachable } = require('./settings');

/**
 * @typedef {import('./supervise').ChildSpec} ChildSpec
 * @typedef {import('./settings').Settings} Settings
 */

/** Must match the configuration, which may not be compiled yet when this file is loaded. */
const DEAF_MS = 30_000;

/**
 * The environment all of them share.
 *
 * @param {Settings} settings
 * @param {{ redisUrl: string, databaseUrl: string }} services
 * @returns {NodeJS.ProcessEnv}
 */
function sharedEnvironment(settings, services) {
  // npm sets about a hundred variables for its scripts that the children do not need.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'));
  return {
    // A development start has no load balancer, so a drain needs no advance notice.
    DRAIN_NOTICE_MS: '0',
    // Node 22 and later keep compiled code there, which saves each process a fifth of its start.
    NODE_COMPILE_CACHE: path.join(cache, 'compiled'),
    ...Object.fromEntries(inherited),
    REDIS_URL: services.redisUrl,
    DATABASE_URL: services.databaseUrl,
    DATA_DIR: settings.dataDir,
    HOST: settings.host,
    PORT: String(settings.port),
    NODES: String(settings.nodes),
    WORKERS: String(settings.workers),
    NODE_ENV: settings.nodeEnv,
    PBX_SIM_PORT: String(settings.pbxPort),
  };
}

/**
 * @param {string} name
 * @param {string} script below dist
 * @param {NodeJS.ProcessEnv} env
 * @param {ChildSpec['isReady']} isReady
 * @returns {ChildSpec}
 */
function nodeProcess(name, script, env, isReady) {
  return {
    name,
    command: process.execPath,
    args: ['--enable-source-maps', '--max-semi-space-size=32', path.join(root, 'dist', script)],
    env: { ...env, NODE_NAME: name },
    cwd: root,
    // They hold nothing that a clean exit would save.
    deathSignal: 'KILL',
    isReady,
  };
}

/**
 * @param {Settings} settings
 * @param {NodeJS.ProcessEnv} env
 * @returns {ChildSpec[]}
 */
function ownProcesses(settings, env) {
  const specs = [];
  if (!settings.production && settings.products.includes('telephony')) {
    const url = `http://${reachable(settings.host)}:${settings.pbxPort}/healthz`;
    specs.push(nodeProcess('pbx', 'simulators/pbx/main.js', env, () => answersOk(url)));
  }
  for (let index = 0; index < settings.nodes; index++) {
    const url = `${nodeUrl(settings, index)}/readyz`;
    const own = { ...env, PORT: String(settings.port + index) };
    specs.push(nodeProcess(`node-${index + 1}`, 'src/main.js', own, () => answersOk(url)));
  }
  const deafMs = Number(env['WORKER_DEAF_MS'] || DEAF_MS);
  const workerPort = Number(env['WORKER_PORT'] ?? 0);
  for (let index = 0; index < settings.workers; index++) {
    const name = `worker-${index + 1}`;
    const file = path.join(settings.dataDir, 'run', `${name}.heartbeat`);
    const port = workerPort > 0 ? { WORKER_PORT: String(workerPort + index) } : {};
    const own = nodeProcess(name, 'workers/main.js', { ...env, ...port, HEARTBEAT_FILE: file }, saysWorkerReady);
    specs.push({ ...own, heartbeat: { file, silentMs: deafMs } });
  }
  return specs;
}

module.exports = { ownProcesses, sharedEnvironment };

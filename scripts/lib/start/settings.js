'use strict';

/** The settings that `npm start` reads from the environment, checked before anything else. */

const { isIPv4 } = require('node:net');
const path = require('node:path');
const { Failure } = require('../failure');
const { root } = require('../paths');

/**
 * @typedef {object} Settings
 * @property {string} host
 * @property {number} port of the first node
 * @property {number} nodes
 * @property {number} workers
 * @property {number} pbxPort
 * @property {readonly string[]} products names that the configuration checks
 * @property {string} nodeEnv
 * @property {boolean} production
 * @property {string} dataDir absolute
 * @property {string | undefined} redisUrl
 * @property {string | undefined} databaseUrl
 */

const LAST_PORT = 65_535;

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} name
 * @param {{ fallback: number, least: number, most: number }} bounds
 */
function wholeNumber(env, name, { fallback, least, most }) {
  const text = env[name] ?? '';
  if (text === '') return fallback;
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new Failure(
    `${name} must be a whole number from ${least} to ${most}, not "${text}": correct it and try again.`,
  );
}

/**
 * The processes check this too (config/index.ts), but only after everything is built.
 *
 * @param {string} host
 * @param {string} authMethods
 */
function refuseOneClickFor(host, authMethods) {
  const isLoopback = host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
  const hasOneClick = authMethods.split(',').some((method) => method.trim() === 'dev');
  if (isLoopback || !hasOneClick) return;
  throw new Failure(
    `HOST=${host} would let anybody on the network sign in as anybody: ` +
      'set NODE_ENV=production, HOST=127.0.0.1, or AUTH_METHODS without dev.',
  );
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {Settings}
 */
function readSettings(env) {
  const nodes = wholeNumber(env, 'NODES', { fallback: 2, least: 1, most: 64 });
  const nodeEnv = env['NODE_ENV'] || 'development';
  const host = env['HOST'] || '127.0.0.1';
  if (nodeEnv !== 'production') refuseOneClickFor(host, env['AUTH_METHODS'] || 'dev');
  return {
    host,
    port: wholeNumber(env, 'PORT', { fallback: 9991, least: 1, most: LAST_PORT + 1 - nodes }),
    nodes,
    workers: wholeNumber(env, 'WORKERS', { fallback: 1, least: 0, most: 64 }),
    pbxPort: wholeNumber(env, 'PBX_SIM_PORT', { fallback: 9981, least: 1, most: LAST_PORT }),
    products: (env['PRODUCTS'] || 'chat,telephony').split(',').map((name) => name.trim()),
    nodeEnv,
    production: nodeEnv === 'production',
    dataDir: path.resolve(root, env['DATA_DIR'] || '.data'),
    redisUrl: env['REDIS_URL'] || undefined,
    databaseUrl: env['DATABASE_URL'] || undefined,
  };
}

/** @param {string} host where a client on this machine finds what listens on host */
function reachable(host) {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * @param {Settings} settings
 * @param {number} index from 0
 */
function nodeUrl(settings, index) {
  return `http://${reachable(settings.host)}:${settings.port + index}`;
}

module.exports = { readSettings, nodeUrl, reachable };

'use strict';

/** Redis and MariaDB of `npm start`: used if an address is given, else run privately below the data directory. */

const fs = require('node:fs');
const path = require('node:path');
const { randomBytes } = require('node:crypto');
const { dockerServers } = require('./docker-servers');
const { EX_UNAVAILABLE, fetchPrograms } = require('../programs/fetch-programs');
const { Failure } = require('../failure');
const { prepareMariadb } = require('./mariadb');
const { writePrivate } = require('../paths');
const { isPortFree, reservePorts } = require('../ports');
const { prepareRedis } = require('./redis');

/**
 * @typedef {import('../start/supervise').ChildSpec} ChildSpec
 * @typedef {import('../start/settings').Settings} Settings
 * @typedef {'redis' | 'mariadb'} ServerName
 * @typedef {{ port: number, password: string }} Access
 */

/**
 * @typedef {object} Servers
 * @property {string} redisUrl
 * @property {string} databaseUrl
 * @property {ChildSpec[]} children
 * @property {() => Promise<void>} stop of what is not a child of ours
 */

/**
 * Ports and passwords stay the same from start to start, if the ports are free.
 *
 * @param {Settings} settings
 * @returns {Promise<Record<ServerName, Access>>}
 */
async function access(settings) {
  const file = path.join(settings.dataDir, 'run/services.json');
  const kept = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
  /** @param {ServerName} name */
  const refresh = async (name) => ({
    port: kept[name]?.port && (await isPortFree(kept[name].port)) ? kept[name].port : await reservePorts(),
    password: String(kept[name]?.password ?? randomBytes(24).toString('base64url')),
  });
  const all = { redis: await refresh('redis'), mariadb: await refresh('mariadb') };
  writePrivate(file, `${JSON.stringify(all)}\n`);
  return all;
}

/**
 * @param {ServerName} name
 * @param {Settings} settings
 * @param {Omit<ChildSpec, 'name' | 'deathSignal'>} prepared
 * @returns {ChildSpec}
 */
function childOf(name, settings, { command, args, env, cwd, isReady, mend, giveUp }) {
  return {
    name,
    command,
    args,
    // A later start recognises a leftover process as its own by the data directory.
    env: { ...process.env, ...env, DATA_DIR: settings.dataDir },
    cwd,
    deathSignal: 'TERM',
    isReady,
    ...(mend && { mend }),
    ...(giveUp && { giveUp }),
  };
}

/**
 * @param {Settings} settings
 * @param {import('../progress').Progress} progress
 * @returns {Promise<Servers>}
 */
async function prepareServers(settings, progress) {
  /** @type {ServerName[]} */
  const wanted = [];
  if (settings.redisUrl === undefined) wanted.push('redis');
  if (settings.databaseUrl === undefined) wanted.push('mariadb');
  const given = { redisUrl: settings.redisUrl ?? '', databaseUrl: settings.databaseUrl ?? '' };
  if (wanted.length === 0) return { ...given, children: [], stop: async () => undefined };

  const endpoints = await access(settings);
  try {
    return await ownServers(settings, progress, { wanted, endpoints, given });
  } catch (error) {
    if (!(error instanceof Failure) || error.exitCode !== EX_UNAVAILABLE) throw error;
    const docker = await dockerServers(settings.dataDir, wanted, endpoints, progress);
    if (docker === undefined) throw error;
    return { ...given, ...docker, children: [] };
  }
}

/**
 * @param {Settings} settings
 * @param {import('../progress').Progress} progress
 * @param {{ wanted: ServerName[], endpoints: Record<ServerName, Access>, given: { redisUrl: string, databaseUrl: string } }} plan
 * @returns {Promise<Servers>}
 */
async function ownServers(settings, progress, { wanted, endpoints, given }) {
  const programs = await progress.step(`Getting ${wanted.join(' and ')}`, (note) => fetchPrograms(wanted, note));
  const services = { ...given, children: /** @type {ChildSpec[]} */ ([]), stop: async () => undefined };
  if (wanted.includes('redis')) {
    const dir = path.join(settings.dataDir, 'redis');
    const redis = prepareRedis({ dir, program: programs.redis, ...endpoints.redis });
    services.redisUrl = redis.url;
    services.children.push(childOf('redis', settings, redis));
  }
  if (wanted.includes('mariadb')) {
    const dir = path.join(settings.dataDir, 'mariadb');
    const mariadb = await prepareMariadb({ dir, program: programs.mariadb, ...endpoints.mariadb });
    services.databaseUrl = mariadb.url;
    services.children.push(childOf('mariadb', settings, mariadb));
  }
  return services;
}

module.exports = { prepareServers };

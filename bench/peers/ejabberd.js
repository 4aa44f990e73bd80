'use strict';

/** A private ejabberd on loopback, for comparison: anybody may come in, rooms of any size, nothing kept, no TLS. */

const fs = require('node:fs');
const path = require('node:path');
const { privateDirectory, writePrivate } = require('../../scripts/lib/paths');
const { converse, onFreePorts } = require('../../scripts/lib/ports');
const { startServer } = require('../../scripts/lib/servers/server-process');
const { programFor } = require('../../scripts/lib/test/test-programs');
const { STREAM, XMPP_HOST, XMPP_ROOMS } = require('./xmpp');

/** @param {number} port */
const configuration = (port) =>
  [
    `hosts: [${XMPP_HOST}]`,
    'loglevel: error',
    'auth_method: anonymous',
    'anonymous_protocol: sasl_anon',
    'listen:',
    '  -',
    `    port: ${port}`,
    '    ip: "127.0.0.1"',
    '    module: ejabberd_c2s',
    '    backlog: 1024',
    'modules:',
    '  mod_muc:',
    `    host: ${XMPP_ROOMS}`,
    '    access_create: all',
    '    history_size: 0',
    '    max_users: 100000',
    '    default_room_options:',
    // Who comes and goes is not told, or a thousand who come in would be told of a million times.
    '      presence_broadcast: []',
    '      max_users: 100000',
    '',
  ].join('\n');

/**
 * Its own library directory, whose name has its version.
 *
 * @param {import('../../scripts/lib/programs/programs').Program} program
 */
function ownLibrary({ libraries }) {
  for (const directory of libraries) {
    const version = fs
      .readdirSync(directory)
      .map((name) => /^ejabberd-(\d+\.\d+)/.exec(name)?.[1])
      .find((each) => each !== undefined);
    if (version !== undefined) return { directory, version };
  }
  throw new Error('ejabberd was unpacked without its library');
}

/** @param {{ dir: string }} options */
async function startEjabberd(options) {
  const dir = privateDirectory(path.resolve(options.dir));
  const program = programFor('ejabberd');
  const { directory, version } = ownLibrary(program);
  const file = path.join(dir, 'ejabberd.yml');
  const command = {
    command: program.path,
    args: [
      ...program.args,
      // As its own script has it.
      ...'+K true +P 250000 -noinput -noshell -s ejabberd -mnesia dir'.split(' '),
      `"${path.join(dir, 'database')}"`,
    ],
    env: {
      ...program.env,
      ERL_LIBS: directory,
      HOME: dir,
      EJABBERD_CONFIG_PATH: file,
      EJABBERD_LOG_PATH: path.join(dir, 'own.log'),
    },
    cwd: dir,
  };
  return onFreePorts(async (next) => {
    const port = await next();
    writePrivate(file, configuration(port));
    const isReady = async () => (await converse(port, { say: STREAM })).includes('stream');
    return { ...(await startServer('ejabberd', { ...command, isReady }, dir)), port, version };
  });
}

module.exports = { startEjabberd };

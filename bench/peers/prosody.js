'use strict';

/** A private Prosody on loopback, for comparison: anybody may come in, rooms of any size, nothing kept, no TLS. */

const fs = require('node:fs');
const path = require('node:path');
const { privateDirectory, writePrivate } = require('../../scripts/lib/paths');
const { converse, onFreePorts } = require('../../scripts/lib/ports');
const { startServer } = require('../../scripts/lib/servers/server-process');
const { programFor } = require('../../scripts/lib/test/test-programs');
const { STREAM, XMPP_HOST, XMPP_ROOMS } = require('./xmpp');

/** @param {string} dir @param {number} port */
const configuration = (dir, port) =>
  [
    'run_as_root = true',
    `pidfile = "${path.join(dir, 'prosody.pid')}"`,
    `certificates = "${dir}"`,
    'interfaces = { "127.0.0.1" }',
    `c2s_ports = { ${port} }`,
    'modules_enabled = { "saslauth" }',
    'modules_disabled = { "s2s", "tls", "offline" }',
    'c2s_require_encryption = false',
    'network_backend = "epoll"',
    'storage = "memory"',
    'log = { { levels = { min = "warn" }, to = "console" } }',
    `VirtualHost "${XMPP_HOST}"`,
    '  authentication = "anonymous"',
    `Component "${XMPP_ROOMS}" "muc"`,
    '  muc_room_locking = false',
    '  max_history_messages = 0',
    '  muc_room_default_history_length = 0',
    // Who comes and goes is not told, or a thousand who come in would be told of a million times.
    '  muc_room_default_presence_broadcast = { visitor = false, participant = false, moderator = false }',
    '',
  ].join('\n');

/** @param {{ dir: string }} options */
async function startProsody(options) {
  const dir = privateDirectory(path.resolve(options.dir));
  const program = programFor('prosody');
  const own = path.join(program.prefix, 'usr/lib/prosody');
  // Its start script holds the paths of an installed one.
  const script = fs
    .readFileSync(path.join(program.prefix, 'usr/bin/prosody'), 'utf8')
    .replaceAll("'/usr/lib/prosody", `'${own}`)
    .replace("'/etc/prosody'", `'${dir}'`)
    .replace("'/var/lib/prosody'", `'${privateDirectory(path.join(dir, 'data'))}'`);
  writePrivate(path.join(dir, 'start.lua'), script);
  const shared = path.join(program.prefix, 'usr/share/lua/5.4');
  const version = fs.readFileSync(path.join(own, 'prosody.version'), 'utf8').trim();
  const command = {
    command: program.path,
    args: [...program.args, 'start.lua', '-F', '--config', path.join(dir, 'prosody.cfg.lua')],
    env: {
      ...program.env,
      LUA_PATH: `${shared}/?.lua;${shared}/?/init.lua`,
      LUA_CPATH: program.libraries.map((each) => path.join(each, 'lua/5.4/?.so')).join(';'),
    },
    cwd: dir,
  };
  return onFreePorts(async (next) => {
    const port = await next();
    writePrivate(path.join(dir, 'prosody.cfg.lua'), configuration(dir, port));
    const isReady = async () => (await converse(port, { say: STREAM })).includes('stream');
    return { ...(await startServer('prosody', { ...command, isReady }, dir)), port, version };
  });
}

module.exports = { startProsody };

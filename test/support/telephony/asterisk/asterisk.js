'use strict';

/**
 * A private Asterisk on loopback: its REST interface, SIP over UDP, and a dial plan in which extensions call each
 * other.
 */

const fs = require('node:fs');
const path = require('node:path');
const { randomBytes } = require('node:crypto');
const { startServer } = require('../../../../scripts/lib/servers/server-process');
const { programFor } = require('../../../../scripts/lib/test/test-programs');
const { privateDirectory, writePrivate } = require('../../../../scripts/lib/paths');
const { onFreePorts } = require('../../../../scripts/lib/ports');
const { callConfiguration, installDialplan, prepareData } = require('./call-setup');

/** @typedef {import('../../../../scripts/lib/programs/programs').Program} Program */

/**
 * @typedef {object} AsteriskOptions
 * @property {string} dir configuration and data; kept over restarts, made when absent
 * @property {number} [port] of the REST interface; a free one when absent
 * @property {number} [sipPort]
 * @property {string} [password] of the user `partyline`, and of `reader`, who may not write; random when absent
 * @property {'astdb' | 'memory'} [keptIn] where PJSIP's objects are kept
 * @property {Calls} [calls] with our own dial plan, voicemail, and the AMI over HTTP for the user `ami`; plain if absent
 * @property {Program} [program] in tests the one that TEST_SERVICES names
 */

/** @typedef {import('./call-setup').Calls} Calls */

/** @typedef {Required<Omit<AsteriskOptions, 'program' | 'calls'>> & { program: Program, calls?: Calls }} Prepared */

/** Only what registrations and calls need. Some modules that others depend on load late or silently not at all. */
const MODULES = [
  'res_timing_timerfd',
  'res_sorcery_config',
  'res_sorcery_memory',
  'res_sorcery_astdb',
  'res_pjproject',
  'res_http_websocket',
  'res_websocket_client',
  'res_stasis',
  'res_ari_model',
  'res_ari',
  'res_ari_asterisk',
  'res_ari_endpoints',
  'res_pjsip',
  'res_pjsip_session',
  'res_pjsip_pubsub',
  'res_pjsip_authenticator_digest',
  'res_pjsip_endpoint_identifier_user',
  'res_pjsip_registrar',
  'res_pjsip_caller_id',
  'res_pjsip_sdp_rtp',
  'res_rtp_asterisk',
  'chan_pjsip',
  'pbx_config',
  'codec_ulaw',
  'codec_alaw',
  'bridge_simple',
  'app_dial',
];

/** Asterisk complains about each of these files that is missing. */
const EMPTY = 'acl ccss cdr cel features indications pjproject rtp stasis udptl websocket_client'.split(' ');

const DIRECTORIES = {
  var: ['varlib', 'cache', 'key', 'agi'],
  db: ['db'],
  spool: ['spool'],
  run: ['run'],
  log: ['log'],
};

/** @param {Prepared} options @returns {Record<string, string[]>} lines by file */
function configuration({ dir, port, sipPort, password, keptIn, program, calls }) {
  const modules = program.libraries
    .map((each) => path.join(each, 'asterisk/modules'))
    .find((each) => fs.existsSync(each));
  const directories = Object.entries(DIRECTORIES).flatMap(([name, uses]) =>
    uses.map((use) => `ast${use}dir => ${path.join(dir, name)}`),
  );
  return {
    'asterisk.conf': [
      '[directories]',
      `astetcdir => ${path.join(dir, 'etc')}`,
      `astmoddir => ${modules}`,
      `astdatadir => ${calls ? path.join(dir, 'data') : installedData(program)}`,
      ...directories,
    ],
    'http.conf': ['[general]', 'enabled = yes', 'bindaddr = 127.0.0.1', `bindport = ${port}`],
    'ari.conf': [
      '[general]',
      'enabled = yes',
      ...ariUser('partyline', password, 'no'),
      ...ariUser('reader', password, 'yes'),
    ],
    'sorcery.conf': ['[res_pjsip]', ...['auth', 'aor', 'endpoint'].flatMap((type) => wizards(type, keptIn))],
    'pjsip.conf': [
      '[udp]',
      'type = transport',
      'protocol = udp',
      `bind = 127.0.0.1:${sipPort}`,
      ...Object.entries(calls?.pjsip ?? {}).flatMap(([section, lines]) => [`[${section}]`, ...lines]),
    ],
    'logger.conf': ['[logfiles]', 'console => notice,warning,error'],
    'extensions.conf': ['[from-internal]', 'exten => _X.,1,Dial(PJSIP/${EXTEN},20)'],
    'modules.conf': ['[modules]', 'autoload = no', ...MODULES.map((name) => `load = ${name}.so`)],
    ...Object.fromEntries(EMPTY.map((name) => [`${name}.conf`, []])),
    ...(calls ? callConfiguration(password, calls, MODULES) : {}),
  };
}

/** @param {Program} program */
const installedData = (program) => path.join(program.prefix, 'usr/share/asterisk');

/** @param {string} name @param {string} password @param {'yes' | 'no'} readOnly */
const ariUser = (name, password, readOnly) => [
  `[${name}]`,
  'type = user',
  `read_only = ${readOnly}`,
  `password = ${password}`,
];

/** @param {string} type @param {'astdb' | 'memory'} keptIn */
const wizards = (type, keptIn) => [
  keptIn === 'astdb' ? `${type} = astdb,ps_${type}s` : `${type} = memory`,
  `${type} = config,pjsip.conf,criteria=type=${type}`,
];

/** @param {Prepared} options */
function prepare(options) {
  const { dir, program, calls } = options;
  for (const name of ['etc', ...Object.keys(DIRECTORIES)]) privateDirectory(path.join(dir, name));
  if (calls && !fs.existsSync(path.join(dir, 'data'))) {
    prepareData(path.join(dir, 'data'), installedData(program));
    installDialplan(path.join(dir, 'etc'));
  }
  for (const [name, lines] of Object.entries(configuration(options))) {
    writePrivate(path.join(dir, 'etc', name), [...lines, ''].join('\n'));
  }
  return {
    command: program.path,
    args: [...program.args, '-C', path.join(dir, 'etc/asterisk.conf'), '-n', '-f'],
    env: program.env,
    cwd: dir,
    isReady: () => isBooted(options),
  };
}

/** @param {Prepared} options */
async function isBooted({ port, password }) {
  const authorization = `Basic ${Buffer.from(`partyline:${password}`).toString('base64')}`;
  const address = `http://127.0.0.1:${port}/ari/asterisk/config/dynamic/res_pjsip/endpoint/0`;
  const answer = await fetch(address, { headers: { authorization } }).catch(() => undefined);
  return /Object with id/.test((await answer?.text()) ?? '');
}

/**
 * Starts an Asterisk and waits until it answers properly.
 *
 * @param {AsteriskOptions} options
 */
async function startAsterisk(options) {
  const dir = privateDirectory(path.resolve(options.dir));
  const fixed = {
    password: options.password ?? randomBytes(18).toString('base64url'),
    keptIn: options.keptIn ?? 'astdb',
    program: options.program ?? programFor('asterisk'),
    dir,
  };
  return onFreePorts(async (next) => {
    const ports = { port: options.port ?? (await next()), sipPort: options.sipPort ?? (await next()) };
    const calls = options.calls ? { calls: { ...options.calls, port: await next() } } : {};
    const prepared = { ...fixed, ...ports, ...calls };
    const server = await startServer('asterisk', prepare(prepared), dir);
    return { ...server, ...prepared, url: `http://127.0.0.1:${prepared.port}` };
  });
}

module.exports = { startAsterisk };

'use strict';

/** What Asterisk needs for calls through the dial plan that ships with the product. */

const fs = require('node:fs');
const path = require('node:path');
const { root } = require('../../../../scripts/lib/paths');

/**
 * @typedef {object} Calls
 * @property {boolean} [isIncluded] whether the operator has included the dial plan; true if not said
 * @property {string} [classes] what the AMI user may do
 * @property {number} [port] of the AMI itself, which nobody uses here; a free one if absent
 * @property {Readonly<Record<string, readonly string[]>>} [pjsip] further sections of pjsip.conf
 */

const CALL_MODULES = [
  'app_voicemail',
  'app_mixmonitor',
  'app_stack',
  'app_playback',
  'app_read',
  'app_db',
  'app_exec',
  'app_userevent',
  'func_db',
  'func_json',
  'func_logic',
  'func_strings',
  'func_cut',
  'func_callerid',
  'func_channel',
  'func_groupcount',
  'func_devstate',
  'func_base64',
  'func_sorcery',
  'func_pjsip_aor',
  'func_pjsip_contact',
  'res_pjsip_endpoint_identifier_ip',
  'res_pjsip_header_funcs',
  'res_pjsip_mwi',
  'res_pjsip_mwi_body_generator',
  'format_wav',
  'format_pcm',
  'res_ari_applications',
  'res_ari_channels',
  'res_ari_events',
  'res_stasis_answer',
  'res_stasis_device_state',
  'res_stasis_playback',
  'res_stasis_recording',
  'res_stasis_snoop',
  'res_ari_device_states',
  'res_ari_recordings',
];

/** Only some of them are played here: a missing one would end a call. */
const PROMPTS = [
  'beep',
  'vm-intro',
  'vm-theperson',
  'vm-isunavail',
  'vm-isonphone',
  'auth-thankyou',
  // of VoiceMailMain()
  ...'login password incorrect incorrect-mailbox youhave no message messages INBOX opts options helpexit'
    .split(' ')
    .map((name) => `vm-${name}`),
  ...'newpassword reenterpassword passchanged mismatch pls-try-again goodbye'.split(' ').map((name) => `vm-${name}`),
  ...Array.from({ length: 10 }, (_, digit) => `digits/${digit}`),
];

/** A tenth of a second of silence, as u-law. */
const SILENCE = Buffer.alloc(800, 0xff);

/**
 * The data directory of an Asterisk whose prompts are short.
 *
 * @param {string} folder
 * @param {string} installed that of the package, without prompts
 */
function prepareData(folder, installed) {
  fs.mkdirSync(path.join(folder, 'sounds/en/digits'), { recursive: true });
  for (const name of PROMPTS) fs.writeFileSync(path.join(folder, `sounds/en/${name}.ulaw`), SILENCE);
  for (const name of fs.readdirSync(installed)) {
    if (name !== 'sounds') fs.symlinkSync(path.join(installed, name), path.join(folder, name));
  }
}

/** What an operator writes once: docs/CALLS.md. @param {string} password @param {Calls} calls @param {readonly string[]} modules */
const callConfiguration = (
  password,
  { isIncluded = true, classes = 'system,reporting,config,user', port },
  modules,
) => ({
  'extensions.conf': isIncluded
    ? [
        '#include partyline/extensions.conf',
        '[globals]',
        'PARTYLINE_TRUNK=trunk',
        '[from-internal]',
        'include => partyline-internal',
      ]
    : ['[from-internal]', 'exten => _X.,1,Dial(PJSIP/${EXTEN},20)'],
  'voicemail.conf': ['[general]', 'format = wav', '#include partyline/vm-*.conf'],
  'manager.conf': [
    '[general]',
    'enabled = yes',
    'webenabled = yes',
    'bindaddr = 127.0.0.1',
    `port = ${port}`,
    '[ami]',
    `secret = ${password}`,
    `write = ${classes}`,
  ],
  'modules.conf': ['[modules]', 'autoload = no', ...[...modules, ...CALL_MODULES].map((name) => `load = ${name}.so`)],
});

const SHIPPED = path.join(root, 'config/asterisk');

/** Copies the shipped files to where the operator would. @param {string} etc */
function installDialplan(etc) {
  fs.mkdirSync(path.join(etc, 'partyline'), { recursive: true });
  for (const name of fs.readdirSync(SHIPPED)) {
    fs.copyFileSync(path.join(SHIPPED, name), path.join(etc, 'partyline', name));
  }
}

module.exports = { callConfiguration, installDialplan, prepareData };

'use strict';

/**
 * node test/support/telephony/asterisk/record.js: sends the recorded requests to a real Asterisk and stores its responses. The
 * simulated Asterisk answers from this record, and refuses everything else. To make it answer something new, add the
 * request to the record and run this.
 */

const fs = require('node:fs');
const path = require('node:path');
const { startAsterisk } = require('./asterisk');
const { byName, play, send } = require('./exchanges');
const { fetchPrograms } = require('../../../../scripts/lib/programs/fetch-programs');
const { cache, root } = require('../../../../scripts/lib/paths');

/** @typedef {import('./exchanges').Recorded} Recorded */

const file = path.join(root, 'simulators/pbx/asterisk/recorded.json');

/** @param {import('./exchanges').Target} target */
async function readDefaults(target) {
  const least = {
    auth: { auth_type: 'userpass', username: '0', password: '0' },
    aor: { max_contacts: '0' },
    endpoint: { allow: 'ulaw' },
  };
  /** @type {[string, object][]} */
  const found = [];
  for (const [type, fields] of Object.entries(least)) {
    const came = await send(target, { request: `PUT P/${type}/900`, fields });
    await send(target, { request: `DELETE P/${type}/900` });
    /** @type {{ attribute: string, value: string }[]} */
    const list = JSON.parse(came?.text ?? '[]');
    found.push([type, Object.fromEntries(byName(list.map(({ attribute, value }) => [attribute, value])))]);
  }
  return /** @type {import('./exchanges').Defaults} */ (Object.fromEntries(found));
}

/** @param {Recorded} recorded @param {import('../../../../scripts/lib/programs/programs').Program} program */
async function record(recorded, program) {
  for (const keptIn of /** @type {const} */ (['memory', 'astdb'])) {
    const dir = fs.mkdtempSync(path.join(cache, 'record-'));
    let running = await startAsterisk({ dir, program, keptIn });
    const { port, sipPort, password, url } = running;
    const credentials = { partyline: `partyline:${password}`, reader: `reader:${password}`, nobody: 'nobody:wrong' };
    const restart = async () => {
      await running.stop();
      running = await startAsterisk({ dir, program, keptIn, port, sipPort, password });
    };
    const target = { url, credentials, restart };
    // First, because an Asterisk that has had an endpoint answers differently from one that never had.
    if (keptIn === 'memory') recorded.defaults = await readDefaults(target);
    // While it starts, its web server answers every address with this page.
    recorded.starting.page = await (await fetch(`${url}/nosuch`)).text();
    for (const scenario of recorded.scenarios.filter((each) => each.keptIn === keptIn)) {
      for (const step of scenario.steps) {
        for (const name of /** @type {const} */ (['status', 'shown', 'answer', 'reset'])) delete step[name];
        Object.assign(step, await play(target, step, recorded.defaults));
      }
    }
    await running.stop();
    fs.rmSync(dir, { recursive: true, force: true });
  }
}

async function main() {
  const { asterisk } = await fetchPrograms(['asterisk']);
  /** @type {Recorded} */
  const recorded = JSON.parse(fs.readFileSync(file, 'utf8'));
  await record(recorded, asterisk);
  recorded.product = `Asterisk ${asterisk.version}`;
  fs.writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`);
}

void main();

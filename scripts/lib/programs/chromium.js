'use strict';

/** Starts Chromium for scripts, tests and benchmarks. */

const fs = require('node:fs');
const path = require('node:path');

/**
 * An unpacked Chromium does not find the fonts that were unpacked with it. What it finds out about them stays beside them:
 * looking at every font again takes longer than the rest of a start.
 *
 * @param {string} prefix
 * @returns {Record<string, string>}
 */
function fontsFor(prefix) {
  if (prefix === '/') return {};
  const folder = path.join(prefix, 'var/cache/fontconfig');
  const file = path.join(folder, 'fonts.conf');
  const dirs = `<dir>${prefix}/usr/share/fonts</dir><dir>/usr/share/fonts</dir><cachedir>${folder}</cachedir>`;
  fs.mkdirSync(folder, { recursive: true });
  // Put in place whole: another process may read it.
  fs.writeFileSync(`${file}.${process.pid}`, `<?xml version="1.0"?><fontconfig>${dirs}</fontconfig>`);
  fs.renameSync(`${file}.${process.pid}`, file);
  return { FONTCONFIG_FILE: file };
}

/**
 * @param {import('./programs').Program} program
 * @returns {Promise<{ browser: import('playwright-core').Browser, close: () => Promise<void> }>}
 */
async function launchChromium({ path: executablePath, args, env, prefix }) {
  // Loaded here, because a script may run before the dependencies are installed.
  const { chromium } = require('playwright-core');
  const browser = await chromium.launch({
    executablePath,
    // A busy machine may take long.
    timeout: 180_000,
    // The sandbox needs privileges that neither a container nor an unpacked program has.
    args: [...args, '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
    env: /** @type {Record<string, string>} */ ({ ...process.env, ...env, ...fontsFor(prefix) }),
  });
  return { browser, close: () => browser.close() };
}

module.exports = { launchChromium };

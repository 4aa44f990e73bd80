'use strict';

/** Starts Chromium for scripts, tests and benchmarks. */

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

/**
 * An unpacked Chromium does not find the fonts that were unpacked with it.
 *
 * @param {string} prefix
 * @param {string} folder
 * @returns {Record<string, string>}
 */
function fontsFor(prefix, folder) {
  if (prefix === '/') return {};
  const file = path.join(folder, 'fonts.conf');
  const dirs = `<dir>${prefix}/usr/share/fonts</dir><dir>/usr/share/fonts</dir><cachedir>${folder}</cachedir>`;
  fs.writeFileSync(file, `<?xml version="1.0"?><fontconfig>${dirs}</fontconfig>`);
  return { FONTCONFIG_FILE: file };
}

/**
 * @param {import('./programs').Program} program
 * @returns {Promise<{ browser: import('playwright-core').Browser, close: () => Promise<void> }>}
 */
async function launchChromium({ path: executablePath, args, env, prefix }) {
  // Loaded here, because a script may run before the dependencies are installed.
  const { chromium } = require('playwright-core');
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chromium-'));
  const browser = await chromium.launch({
    executablePath,
    // A busy machine may take long.
    timeout: 180_000,
    // The sandbox needs privileges that neither a container nor an unpacked program has.
    args: [...args, '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
    env: /** @type {Record<string, string>} */ ({ ...process.env, ...env, ...fontsFor(prefix, folder) }),
  });
  return {
    browser,
    async close() {
      await browser.close();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

module.exports = { launchChromium };

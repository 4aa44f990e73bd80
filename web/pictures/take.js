'use strict';

/**
 * npm run screenshots: the pictures of README and docs, taken of a server with nothing but demo data in it. It starts
 * one on private services, or uses the one at BASE_URL, of which it takes no pictures of the console.
 */

const fs = require('node:fs');
const path = require('node:path');
const { ensureBuild } = require('../../scripts/lib/build/build');
const { ensureWebBuild } = require('../../scripts/lib/build/build-web');
const { launchChromium } = require('../../scripts/lib/programs/chromium');
const { prepareConsole } = require('./console-demo');
const { ensureDependencies } = require('../../scripts/lib/build/dependencies');
const { Failure, reportFailure } = require('../../scripts/lib/failure');
const { fetchPrograms } = require('../../scripts/lib/programs/fetch-programs');
const { spawnGuarded } = require('../../scripts/lib/guard');
const { checkNodeVersion } = require('../../scripts/lib/node-version');
const { root } = require('../../scripts/lib/paths');
const { reservePorts } = require('../../scripts/lib/ports');
const { createProgress } = require('../../scripts/lib/progress');
const { SHOTS } = require('./list');
const { fillPortal } = require('./portal-demo');
const { setUpData } = require('../../scripts/lib/start/set-up-data');
const { closeRun, openRun, startThrowawayServers } = require('../../scripts/lib/servers/throwaway-servers');

const progress = createProgress();
const folder = path.join(root, 'docs/pictures');
const READY_WITHIN_MS = 60_000;
const MAX_BYTES = 150_000;

/** Runs in the page: pictures outside the screen are loaded when they come into it. */
const ARE_PICTURES_THERE = `document.fonts.status === 'loaded' && [...document.images].every(
  (picture) => picture.complete || picture.getBoundingClientRect().top > innerHeight ||
    picture.getBoundingClientRect().bottom <= 0)`;

/**
 * Not by waitForFunction, which evaluates text in the page: the policy of the pages forbids it.
 *
 * @param {string} what
 * @param {() => Promise<unknown>} isSo
 */
async function until(what, isSo) {
  const end = Date.now() + READY_WITHIN_MS;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Failure(`Waited in vain until ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** @param {string} url */
const isReady = async (url) => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok ?? false;

/**
 * A node and a worker on services of their own.
 *
 * @template Value
 * @param {(url: string, operator?: import('./console-demo').Operator) => Promise<Value>} work
 */
async function withServer(work) {
  const given = process.env['BASE_URL'];
  if (given) return work(given.replace(/\/$/, ''));
  const programs = await fetchPrograms(['redis', 'mariadb']);
  const directory = openRun();
  const services = await startThrowawayServers(directory, programs, { durable: false });
  /** @type {import('node:child_process').ChildProcess[]} */
  const children = [];
  try {
    const port = await reservePorts(2);
    const env = {
      ...process.env,
      REDIS_URL: services.redisUrl,
      DATABASE_URL: services.databaseUrl,
      PORT: String(port),
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'silent',
      PBX_SIM_PORT: String(port + 1),
      DATA_DIR: directory,
    };
    await setUpData(progress, env, false);
    for (const script of ['dist/simulators/pbx/main.js', 'dist/src/main.js', 'dist/workers/main.js']) {
      children.push(spawnGuarded(process.execPath, [path.join(root, script)], { cwd: root, env, stdio: 'ignore' }));
    }
    const url = `http://127.0.0.1:${port}`;
    await until(`${url} is ready`, () => isReady(url));
    return await work(url, await prepareConsole(url, env));
  } finally {
    for (const child of children) child.kill('SIGTERM');
    await Promise.all(children.map((child) => new Promise((resolve) => child.once('exit', resolve))));
    await services.stop();
    closeRun(directory);
  }
}

/**
 * @param {import('playwright-core').Page} page
 * @param {string} url
 * @param {import('./console-demo').Operator} operator
 */
async function enterConsole(page, url, { name, key }) {
  await page.goto(`${url}/ops`);
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation').waitFor();
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {{ url: string, operator?: import('./console-demo').Operator | undefined }} server
 * @param {import('./list').Shot} shot
 */
async function take(browser, { url, operator }, { name, who, isPortal, path: address, wait, prepare, ...options }) {
  const isOfConsole = address.startsWith('/ops');
  if (isOfConsole && !operator) return;
  const context = await browser.newContext({
    viewport: options.viewport ?? { width: 1280, height: 800 },
    colorScheme: options.colorScheme ?? 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
  });
  const page = await context.newPage();
  if (who !== undefined) {
    await page.goto(isPortal ? `${url}/portal` : url);
    await page.getByRole('button', { name: who }).click();
    const inside = isPortal
      ? page.getByRole('button', { name: 'Sign out' })
      : page.getByRole('region', { name: 'Write a message' });
    await inside.waitFor();
  }
  if (isOfConsole && operator) await enterConsole(page, url, operator);
  await page.goto(url + address);
  await wait(page).first().waitFor();
  await prepare?.(page);
  await until(`${name} has its pictures`, () => page.evaluate(ARE_PICTURES_THERE));
  const picture = await page.screenshot({ type: 'png', animations: 'disabled', caret: 'hide' });
  const sharp = require('sharp');
  const bytes = await sharp(picture).webp({ quality: 88, effort: 6 }).toBuffer();
  if (bytes.length > MAX_BYTES) throw new Failure(`${name} has ${bytes.length} bytes: show less.`);
  fs.writeFileSync(path.join(folder, `${name}.webp`), bytes);
  await context.close();
}

async function main() {
  try {
    checkNodeVersion();
    await ensureDependencies(progress);
    await ensureBuild(progress);
    await ensureWebBuild(progress);
    const { chromium: program } = await fetchPrograms(['chromium']);
    fs.mkdirSync(folder, { recursive: true });
    await withServer(async (url, operator) => {
      await progress.step('Extensions and texts for the portal', () => fillPortal(url));
      const chromium = await launchChromium(program);
      try {
        const server = { url, operator };
        for (const shot of SHOTS)
          await progress.step(`Taking ${shot.name}`, () => take(chromium.browser, server, shot));
      } finally {
        await chromium.close();
      }
    });
  } catch (error) {
    process.exitCode = reportFailure(error);
  }
}

void main();

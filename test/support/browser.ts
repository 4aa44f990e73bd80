/** Chromium for tests, and pages that remember everything that went wrong in them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { hasPrograms, programFor } from '../../scripts/lib/test-programs';

export const hasBrowser = hasPrograms(['chromium']);

export interface TestBrowser {
  /** A page in a browser of its own, without cookies. */
  page(options?: BrowserContextOptions): Promise<TestPage>;
  close(): Promise<void>;
}

export interface TestPage extends Page {
  /** Dialogs, uncaught errors and violations of the content security policy. */
  readonly troubles: string[];
}

/** An unpacked Chromium does not find the fonts that were unpacked with it. */
function fontsFor(prefix: string, folder: string): Record<string, string> {
  if (prefix === '/') return {};
  const file = join(folder, 'fonts.conf');
  const dirs = `<dir>${prefix}/usr/share/fonts</dir><dir>/usr/share/fonts</dir><cachedir>${folder}</cachedir>`;
  writeFileSync(file, `<?xml version="1.0"?><fontconfig>${dirs}</fontconfig>`);
  return { FONTCONFIG_FILE: file };
}

export async function openBrowser(): Promise<TestBrowser> {
  const { path, args, env, prefix } = programFor('chromium');
  const folder = mkdtempSync(join(tmpdir(), 'browser-'));
  const browser: Browser = await chromium.launch({
    executablePath: path,
    // The sandbox needs rights that neither a container nor an unpacked program has.
    args: [...args, '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
    env: { ...process.env, ...env, ...fontsFor(prefix, folder) } as Record<string, string>,
  });
  return {
    page: (options = {}) => newPage(browser, options),
    async close() {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function newPage(browser: Browser, options: BrowserContextOptions): Promise<TestPage> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => troubles.push(`error: ${error.stack ?? error.message}`));
  page.on('console', (line) => {
    if (/Content Security Policy|Content-Security-Policy/.test(line.text())) troubles.push(`policy: ${line.text()}`);
  });
  return Object.assign(page, { troubles });
}

/** Signs in with one click. */
export async function signInAs(page: TestPage, url: string, name: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('button', { name }).click();
  await page.getByRole('region', { name: 'Write a message' }).waitFor();
}

export const messageBox = (page: TestPage) => page.getByRole('textbox', { name: 'Text of the message' });

/** Writes into the topic that is on the screen. */
export async function say(page: TestPage, text: string): Promise<void> {
  await messageBox(page).fill(text);
  await messageBox(page).press('Control+Enter');
}

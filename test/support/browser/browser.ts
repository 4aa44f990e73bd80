/** Chromium for tests, and pages that record everything that goes wrong in them. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from '../../../scripts/lib/programs/chromium';
import { hasPrograms, programFor } from '../../../scripts/lib/test/test-programs';
import { PATIENCE_MS } from '../until';

export const hasBrowser = hasPrograms(['chromium']);

export interface TestBrowser {
  /** A page in its own browser context, without cookies. */
  page(options?: BrowserContextOptions): Promise<TestPage>;
  close(): Promise<void>;
}

export interface TestPage extends Page {
  /** Dialogs, uncaught errors and violations of the content security policy. */
  readonly troubles: string[];
}

export async function openBrowser(): Promise<TestBrowser> {
  const { browser, close } = await launchChromium(programFor('chromium'));
  return { page: (options = {}) => newPage(browser, options), close };
}

async function newPage(browser: Browser, options: BrowserContextOptions): Promise<TestPage> {
  const context = await browser.newContext({
    locale: 'en-GB',
    viewport: { width: 1280, height: 800 },
    serviceWorkers: 'block',
    ...options,
  });
  // As long as tests wait for anything else.
  context.setDefaultTimeout(PATIENCE_MS);
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

/** Edits the last message shown, which must be the user's own. */
export async function editLast(page: TestPage, text: string): Promise<void> {
  const last = page.getByRole('article').last();
  await last.focus();
  await page.keyboard.press('e');
  await page.getByRole('textbox', { name: 'Edit the message' }).fill(text);
  await page.keyboard.press('Control+Enter');
  await last.getByRole('button', { name: 'edited' }).waitFor();
}

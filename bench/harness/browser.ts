/** Chromium on a slow machine: pages with a quarter of the CPU speed. */
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { launchChromium } from '../../scripts/lib/programs/chromium';
import { programFor } from '../../scripts/lib/test/test-programs';

export interface SlowPage {
  readonly page: Page;
  readonly devtools: CDPSession;
  readonly close: () => Promise<void>;
}

export interface SlowBrowser {
  /** Signed in, with an empty cache. */
  open(email: string, path: string): Promise<SlowPage>;
  readonly close: () => Promise<void>;
}

const SLOWDOWN = 4;
const PATIENCE_MS = 600_000;

type State = Awaited<ReturnType<BrowserContext['storageState']>>;

export async function openSlowBrowser(url: string): Promise<SlowBrowser> {
  const { browser, close } = await launchChromium(programFor('chromium'));
  const sessions = new Map<string, State>();

  async function sessionOf(email: string): Promise<State> {
    const known = sessions.get(email);
    if (known) return known;
    const context = await browser.newContext({ baseURL: url });
    const answer = await context.request.post('/web/session', { data: { demo: email }, headers: { Origin: url } });
    if (!answer.ok()) throw new Error(`${email} could not sign in: ${await answer.text()}`);
    const state = await context.storageState();
    sessions.set(email, state);
    await context.close();
    return state;
  }

  return {
    async open(email, path) {
      const storageState = await sessionOf(email);
      const context = await browser.newContext({ storageState, viewport: { width: 1280, height: 800 } });
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      const devtools = await context.newCDPSession(page);
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
      await page.addInitScript(noteMoments);
      await page.goto(url + path, { waitUntil: 'commit' });
      // Not waitForFunction, which evaluates text in the page: the content security policy forbids it.
      await page.evaluate(() => (globalThis as unknown as BrowserWindow).usableAt);
      return { page, devtools, close: () => context.close() };
    },
    close,
  };
}

/**
 * Runs in the page and records milliseconds since navigation: `readableAt` when the first message was painted,
 * `usableAt` when more was there, such as the sidebar.
 */
function noteMoments(): void {
  const page = globalThis as unknown as BrowserWindow;
  const whenShown = (selector: string): Promise<number> =>
    new Promise((resolve) => {
      const look = (): void => {
        // The list lays out its rows before it shows them.
        const isShown = page.document.querySelector(selector)?.checkVisibility({ visibilityProperty: true });
        page.requestAnimationFrame(isShown ? () => resolve(performance.now()) : look);
      };
      page.requestAnimationFrame(look);
    });
  page.readableAt = whenShown('article .rich-text');
  page.usableAt = whenShown('nav');
}

/** What functions that run in a page use of it. The benchmarks are compiled without DOM types. */
export interface BrowserWindow {
  readonly document: {
    querySelector(selector: string): PageElement | null;
    querySelectorAll(selector: string): Iterable<PageElement>;
  };
  readonly history: { pushState(state: null, title: string, path: string): void };
  requestAnimationFrame(run: (at: number) => void): number;
  readableAt?: Promise<number>;
  usableAt?: Promise<number>;
  /** Exposed where a benchmark wants to be told how far it is. */
  tellTop?: (text: string) => Promise<void>;
}

export interface PageElement {
  readonly textContent: string | null;
  scrollTop: number;
  checkVisibility(options: { visibilityProperty: boolean }): boolean;
}

/** Measurements in a chat page. Functions passed to the page must be self-contained. */
import type { Page } from 'playwright-core';
import type { BrowserWindow, SlowPage } from '../harness/browser';
import type { Tell } from './by-when';

/** When the first message was readable, when the page was usable, and the script bytes transferred until then. */
export const firstLoad = ({ page }: SlowPage): Promise<{ readable: number; usable: number; script: number }> =>
  page.evaluate(async () => {
    const { readableAt, usableAt } = globalThis as unknown as BrowserWindow;
    const [readable, usable] = [(await readableAt)!, (await usableAt)!];
    const files = performance.getEntriesByType('resource') as unknown as { name: string; encodedBodySize: number }[];
    const script = files
      .filter(({ name }) => name.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    return { readable, usable, script };
  });

/** Milliseconds until every message on screen contains the word. */
export const changeView = (page: Page, path: string, word: string): Promise<number> =>
  page.evaluate(
    ([to, wanted]) =>
      new Promise<number>((resolve) => {
        const here = globalThis as unknown as BrowserWindow;
        const start = performance.now();
        here.history.pushState(null, '', to!);
        const look = (): void => {
          // Previously shown views are kept hidden behind this one.
          const rows = [...here.document.querySelectorAll('main#main article .rich-text')];
          const isThere = rows.length > 0 && rows.every(({ textContent }) => textContent!.includes(wanted!));
          here.requestAnimationFrame(isThere ? () => resolve(performance.now() - start) : look);
        };
        look();
      }),
    [path, word],
  );

export interface Scrolled {
  readonly longest: number;
  readonly frames: number;
  readonly slowFrames: number;
}

/** Scrolls up until the first message of the view is visible. Tells which message is the highest, every few frames. */
export async function scrollToStart(page: Page, firstText: string, tell: Tell): Promise<Scrolled> {
  // Starts with a wheel event, because a list that the reader never left jumps back to its end when it grows.
  await page.locator('[data-scroller]').hover();
  await page.mouse.wheel(0, -1);
  await page.exposeFunction('tellTop', (text: string) => tell(`at "${text}"`));
  return page.evaluate(
    ([wanted]) =>
      new Promise<Scrolled>((resolve) => {
        const STEP = 300;
        const SLOW_MS = 50;
        const TELL_EVERY = 30;
        const here = globalThis as unknown as BrowserWindow;
        const list = here.document.querySelector('[data-scroller]')!;
        let [longest, frames, slowFrames, before] = [0, 0, 0, performance.now()];
        const step = (at: number): void => {
          // The browser rounds its times: three frames of the screen are 50.0 or 50.1 ms.
          const took = Math.round(at - before);
          before = at;
          frames += 1;
          longest = Math.max(longest, took);
          if (took > SLOW_MS) slowFrames += 1;
          const top = here.document.querySelector('main#main article .rich-text')?.textContent ?? '';
          if (frames % TELL_EVERY === 0) void here.tellTop?.(top);
          if (top === wanted) resolve({ longest, frames, slowFrames });
          else {
            list.scrollTop -= STEP;
            here.requestAnimationFrame(step);
          }
        };
        here.requestAnimationFrame((at) => {
          before = at;
          here.requestAnimationFrame(step);
        });
      }),
    [firstText],
  );
}

const LOOK_MS = 500;

/** Waits until a message has arrived at the end of the view. */
export async function showLast(page: Page, text: string, tell: Tell): Promise<void> {
  const rows = page.locator('article .rich-text');
  const message = page.getByText(text, { exact: true }).first();
  while (!(await message.isVisible())) {
    await page.keyboard.press('End');
    tell(`all sent, "${await rows.last().textContent()}" shown last`);
    await page.waitForTimeout(LOOK_MS);
  }
}

/** Bytes of JavaScript objects after a garbage collection. */
export async function heapOf({ devtools }: SlowPage): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  return (await devtools.send('Runtime.getHeapUsage')).usedSize;
}

/** Milliseconds from a key press in the command palette to its result. */
export async function findInPalette(page: Page, text: string, found: string): Promise<number> {
  await page.keyboard.press('Control+k');
  const box = page.getByRole('combobox', { name: /^Go to a stream/ });
  await box.waitFor();
  await box.fill(text.slice(0, -1));
  const start = performance.now();
  await page.keyboard.type(text.slice(-1));
  await page.getByRole('option', { name: found }).first().waitFor();
  const took = performance.now() - start;
  await page.keyboard.press('Escape');
  return took;
}

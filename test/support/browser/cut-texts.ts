/** Texts of ours that do not fit where they stand: buttons, labels, tabs and headings whose words are cut off. */
import type { TestPage } from './browser';

/** Names that people gave, such as those of streams, may be cut. */
export const cutTexts = (page: TestPage): Promise<string[]> =>
  page.evaluate(() => {
    const ours = 'button, label, h1, h2, h3, [role=tab], [role=menuitem], legend, th, summary';
    return [...document.querySelectorAll<HTMLElement>(ours)]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }) && element.textContent?.trim())
      .flatMap((element) => [element, ...element.querySelectorAll<HTMLElement>('*')])
      .filter((element) => element.children.length === 0 && !element.closest('a[href^="/stream/"], .pl-hidden'))
      .filter((element) => {
        const { overflowX } = getComputedStyle(element);
        return overflowX !== 'visible' && element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1;
      })
      .map((element) => `${location.pathname}: "${element.textContent!.trim()}" is cut`);
  });

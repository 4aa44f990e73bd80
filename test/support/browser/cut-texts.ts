/** Texts of ours that do not fit where they stand: buttons, labels, tabs, headings and placeholders whose words are cut off. */
import type { TestPage } from './browser';

/** Names that people gave, such as those of streams, may be cut. */
export const cutTexts = (page: TestPage): Promise<string[]> =>
  page.evaluate(() => {
    const ours = 'button, label, h1, h2, h3, [role=tab], [role=menuitem], legend, th, summary';
    const visible = { visibilityProperty: true };
    const fields = [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')];
    const pen = document.createElement('canvas').getContext('2d')!;
    const hints = fields
      .filter((field) => field.checkVisibility(visible) && field.value === '' && field.placeholder !== '')
      // That of the search is shown while somebody writes in it, who has more room then.
      .filter((field) => !getComputedStyle(field, '::placeholder').color.endsWith(', 0)'))
      .filter((field) => {
        const style = getComputedStyle(field);
        pen.font = style.font;
        const padding = parseFloat(style.paddingInlineStart) + parseFloat(style.paddingInlineEnd);
        const isWide = pen.measureText(field.placeholder).width > field.clientWidth - padding + 1;
        // In several lines, there is room for long ones.
        return isWide && field.clientHeight < 2 * parseFloat(style.lineHeight);
      })
      .map((field) => `${location.pathname}: the placeholder "${field.placeholder}" is cut`);
    const texts = [...document.querySelectorAll<HTMLElement>(ours)]
      .filter((element) => element.checkVisibility(visible) && element.textContent?.trim())
      .flatMap((element) => [element, ...element.querySelectorAll<HTMLElement>('*')])
      .filter((element) => element.children.length === 0 && !element.closest('a[href^="/stream/"], .pl-hidden'))
      .filter((element) => {
        const { overflowX } = getComputedStyle(element);
        return overflowX !== 'visible' && element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1;
      })
      .map((element) => `${location.pathname}: "${element.textContent!.trim()}" is cut`);
    return [...texts, ...hints];
  });

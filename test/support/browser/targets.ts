/** What is too small for a finger on a page that is touched. */
import type { TestPage } from './browser';

const FINGER = 44;

const TARGETS =
  'a, button, select, textarea, summary, input:not([type=hidden]), [role=option], [role=menuitem], [role=switch]';
/** Links in text flow with it; what nobody sees, or what hands touches on, cannot be touched. */
const IN_TEXT = '.rich-text a, p a, dd a, td > a, .pl-hidden, [aria-hidden=true], a[href="#main"]';

/** The telephones that tests hold: upright and on its side. */
export const TELEPHONES = { upright: { width: 360, height: 740 }, sideways: { width: 800, height: 360 } };

/** By name and size. The label of a field is part of it. */
export const smallTargets = (page: TestPage): Promise<string[]> =>
  page.evaluate(
    ([targets, inText, finger]) =>
      [...document.querySelectorAll<HTMLElement>(targets)].flatMap((each) => {
        if (each.closest(inText) || !each.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
          return [];
        if (getComputedStyle(each).pointerEvents === 'none') return [];
        // A link that is stretched over its row.
        const isStretched = getComputedStyle(each, '::after').inset === '0px';
        const field =
          each.closest('label, [role=search]:has(#search), .mantine-MultiSelect-input') ??
          each.closest('[class*="-root"]:has(label)') ??
          (isStretched && each.offsetParent ? each.offsetParent : each);
        const boxes = [each, field].map((part) => part.getBoundingClientRect());
        const width = Math.max(...boxes.map((box) => box.width));
        const height = Math.max(...boxes.map((box) => box.height));
        if (width === 0 || height === 0 || Math.round(Math.min(width, height)) >= finger) return [];
        const name = each.getAttribute('aria-label') ?? each.textContent.trim().slice(0, 40);
        return [`${location.pathname} ${each.localName} ${name} ${Math.round(width)}×${Math.round(height)}`];
      }),
    [TARGETS, IN_TEXT, FINGER] as const,
  );

/** What is wider than the screen, so that the whole page would have to be moved sideways. */
export const wideness = (page: TestPage): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth } = document.documentElement;
    return scrollWidth > innerWidth ? [`${location.pathname} is ${scrollWidth} wide`] : [];
  });

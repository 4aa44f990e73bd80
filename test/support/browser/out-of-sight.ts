/** What a user with a narrow screen would have to scroll sideways for: a page that is too wide, buttons of rows. */
import type { TestPage } from './browser';

export const outOfSight = (page: TestPage): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth } = document.documentElement;
    const buttons = [...document.querySelectorAll('td button')];
    const hidden = buttons.filter((button) => button.getBoundingClientRect().right > innerWidth);
    return [
      ...(scrollWidth > innerWidth ? [`${location.pathname} is ${scrollWidth} wide`] : []),
      ...hidden.map((button) => `${location.pathname}: ${button.textContent}`),
    ];
  });

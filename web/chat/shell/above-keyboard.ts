/**
 * Keeps the page above the keyboard of a telephone. Most browsers make the page smaller (`interactive-widget` in
 * `index.html`); others lay the keyboard over it and only tell how much is left.
 */
const followKeyboard = (viewport: VisualViewport): void => {
  const { style } = document.documentElement;
  const isZoomed = viewport.scale > 1.01;
  // Half a pixel is rounding.
  const isCovered = !isZoomed && window.innerHeight - viewport.height > 0.5;
  if (!isCovered) return void style.removeProperty('--pl-visible');
  style.setProperty('--pl-visible', `${viewport.height}px`);
  // The browser moved the page up to show the field, which now has its place anyway.
  scrollTo(0, 0);
};

const { visualViewport: seen } = window;
seen?.addEventListener('resize', () => followKeyboard(seen));

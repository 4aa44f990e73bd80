/** Whether something is drawn on a canvas. Runs in the page. */
export function hasDrawing(canvas: HTMLElement | SVGElement): boolean {
  type Canvas = { width: number; height: number; getContext(kind: '2d'): { getImageData(...at: number[]): Picture } };
  type Picture = { data: Uint8ClampedArray };
  const its = canvas as unknown as Canvas;
  return its
    .getContext('2d')
    .getImageData(0, 0, its.width, its.height)
    .data.some((byte) => byte !== 0);
}

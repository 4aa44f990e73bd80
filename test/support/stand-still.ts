/** Keeps the process from reading and writing anything, as collecting garbage or a crowded machine does. */
export function standStill(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

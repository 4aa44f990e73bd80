/** Blocks the process from reading and writing, as garbage collection or a busy machine does. */
export function standStill(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}
